import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../../src/lib/project-root.js';

const APP = join(PROJECT_ROOT, 'web/app');
const files = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
const catalogs = files.filter((name) => name.startsWith('texts/'));
const views = files.filter((name) => !name.startsWith('texts/'));

/** Words in the markup of a template, and attributes that people read or hear: texts that are not in the catalog. */
const WORDS = /(?<![-=/])>\s*[^<>${}`;=]*\p{L}{2}[^<>{}$`;=]*<|(?:aria-label|title|placeholder|alt)="[^"$]*\p{L}/gu;

const valuesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

describe('the texts of the library', () => {
  const texts: (readonly [name: string, text: unknown])[] = [];

  beforeAll(async () => {
    for (const file of catalogs) {
      const catalog = (await import(join(APP, file))) as Record<string, Record<string, unknown>>;
      for (const [group, entries] of Object.entries(catalog))
        for (const [name, text] of Object.entries(entries)) texts.push([`${file} ${group}.${name}`, text]);
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
      // Those that codes of the API select.
      .filter((name) => !/^(ERRORS|REASONS)\./.test(name))
      .filter((name) => !new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(code));
    expect(unused).toEqual([]);
  });

  it.each(views)('are the only ones: %s', (name) => {
    const code = readFileSync(join(APP, name), 'utf8').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
    expect(code.match(WORDS) ?? []).toEqual([]);
  });
});
