import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../../src/lib/project-root.js';

const APP = join(PROJECT_ROOT, 'web/app');
const files = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
const catalogs = files.filter((name) => name.startsWith('texts/'));
const views = files.filter((name) => !name.startsWith('texts/'));

/** Words in the markup of a template, and attributes that people read or hear: texts that are not in the catalog. */
const WORDS =
  /(?<![-=/])>\s*[^<>${}`;=]*\p{L}{2}[^<>{}$`;=]*<|(?:aria-label|title|placeholder|alt)="[^"$]*\p{L}/gu;

const valuesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

describe('the texts of the library', () => {
  const texts: (readonly [name: string, text: unknown])[] = [];

  /** Pairs, and lists of pairs; what only lists codes has none. */
  function collect(name: string, entries: Readonly<Record<string, unknown>>): void {
    for (const [key, text] of Object.entries(entries)) {
      if (typeof text === 'string') continue;
      const isPair = Array.isArray(text) && text.every((one) => typeof one === 'string');
      if (isPair) texts.push([`${name}.${key}`, text]);
      else collect(`${name}.${key}`, text as Record<string, unknown>);
    }
  }

  beforeAll(async () => {
    for (const file of catalogs) {
      const catalog = (await import(join(APP, file))) as Record<string, Record<string, unknown>>;
      for (const [group, entries] of Object.entries(catalog)) collect(`${file} ${group}`, entries);
    }
  });

  it('are there in both languages, with the same values', () => {
    expect(texts.length).toBeGreaterThan(50);
    for (const [name, text] of texts) {
      const pair = [expect.stringMatching(/\S/), expect.stringMatching(/\S/)];
      expect([name, text]).toEqual([name, pair]);
      const [english, german] = text as [string, string];
      const forms = [english, german].map((one) => one.split(' | '));
      expect([name, forms[1]!.length]).toEqual([name, forms[0]!.length]);
      expect([name, [...new Set(valuesIn(german))]]).toEqual([name, [...new Set(valuesIn(english))]]);
    }
  });

  it('are all used', () => {
    const code = views.map((name) => readFileSync(join(APP, name), 'utf8')).join('\n');
    const unused = texts
      .map(([name]) => name.split(' ')[1]!)
      // Groups of which codes of the API select one.
      .filter((name) => !new RegExp(`\\b${name.split('.')[0]}\\[`).test(code))
      .filter(
        (name) =>
          !new RegExp(
            `\\b${name
              .split('.')
              .slice(0, 2)
              .join('\\.')
              .replace(/\\.\d+$/, '')}\\b`,
          ).test(code),
      );
    expect(unused).toEqual([]);
  });

  it.each(views)('are the only ones: %s', (name) => {
    const code = readFileSync(join(APP, name), 'utf8').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
    expect(code.match(WORDS) ?? []).toEqual([]);
  });
});
