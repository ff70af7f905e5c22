import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { withFormatsTable } from '../../scripts/formats-table.js';
import { JSON_SOURCES, TEXT_FORMATS, VTT_SOURCES } from '../../src/lib/transcript-formats/read-formats.js';
import { FORMATS, formatPath } from '../support/formats.js';

describe('transcript formats', () => {
  it('are all in the table of docs/transcripts.md', () => {
    const [, table = ''] = readFileSync('docs/transcripts.md', 'utf8').split(/^\|(?:---\|)+$/m);
    const titles = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, title]) => title);
    const texts = TEXT_FORMATS.map(({ title }) => title);
    expect(titles).toEqual([...VTT_SOURCES, 'WebVTT', ...texts, ...JSON_SOURCES]);
  });
});

describe('media formats', () => {
  it('are all in docs/uploads.md (otherwise run npm run formats)', () => {
    const page = readFileSync('docs/uploads.md', 'utf8');
    expect(page).toBe(withFormatsTable(page, FORMATS));
  });

  it('have a file each, and every file is tested', () => {
    const { taken, refused } = FORMATS;
    const tested = [...taken, ...refused].map(({ file }) => file);
    expect(
      readdirSync(formatPath(''))
        .filter((name) => !/\.(mjs|json)$/.test(name))
        .sort(),
    ).toEqual(tested.sort());
    expect(new Set(taken.map(({ container }) => container))).toEqual(
      new Set(Object.keys(FORMATS.containers)),
    );
  });

  it('take little space in the repository', () => {
    const sizes = [...FORMATS.taken, ...FORMATS.refused].map(
      ({ file }) => readFileSync(formatPath(file)).length,
    );
    expect(Math.max(...sizes)).toBeLessThan(40_000);
  });
});
