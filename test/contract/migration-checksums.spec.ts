import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';

const FOLDER = 'src/platform/database/migrations';
const LIST = `${FOLDER}/checksums.sha256`;
const HOW_TO = 'see "Migrations" in docs/developing.md';

/** Of the text with `\n` at the end of each line, however it was checked out. */
function checksum(source: string): string {
  return createHash('sha256').update(source.replaceAll('\r\n', '\n')).digest('hex');
}

/** The format of `sha256sum`, so that `sha256sum --check` reads it too. */
function recordedChecksums(list: string): Map<string, string> {
  const lines = list.split(/\r?\n/).filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, hash, file] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
      if (!hash || !file) throw new Error(`${LIST} has a line that is not "<SHA-256>  <file>": ${line}`);
      return [file, hash];
    }),
  );
}

/** What is wrong, one line each. `sources`: the text of each migration, by the name of its file. */
function problems(recorded: ReadonlyMap<string, string>, sources: ReadonlyMap<string, string>): string[] {
  const missing = [...recorded.keys()].filter((file) => !sources.has(file));
  return [
    ...missing.map((file) => `${file} is gone, but databases have run it: put it back`),
    ...[...sources].flatMap(([file, source]) => {
      const line = `${checksum(source)}  ${file}`;
      const expected = recorded.get(file);
      if (expected === undefined) return [`${file} is new: add this line to ${LIST}\n${line}`];
      if (expected === checksum(source)) return [];
      return [
        `${file} was changed: if a release contains it, undo the change and add a new migration (${HOW_TO}); if none does, its line in ${LIST} becomes\n${line}`,
      ];
    }),
  ];
}

describe('migrations', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));

  it('match their recorded checksums', () => {
    const sources = new Map(files.map((file) => [file, readFileSync(`${FOLDER}/${file}`, 'utf8')]));
    expect(problems(recordedChecksums(readFileSync(LIST, 'utf8')), sources)).toEqual([]);
  });

  it('are all registered', () => {
    expect(files).toHaveLength(MIGRATIONS.length);
  });

  const recorded = new Map([['1-create-users.ts', checksum('first\nsecond\n')]]);
  const withSources = (...sources: [string, string][]) => problems(recorded, new Map(sources));

  it('may have any line endings', () => {
    expect(withSources(['1-create-users.ts', 'first\r\nsecond\r\n'])).toEqual([]);
  });

  it('are rejected when one was edited', () => {
    expect(withSources(['1-create-users.ts', 'first\nsecond \n'])).toEqual([
      expect.stringContaining('1-create-users.ts was changed'),
    ]);
  });

  it('are rejected when one is missing', () => {
    expect(withSources()).toEqual(['1-create-users.ts is gone, but databases have run it: put it back']);
  });

  it('are rejected with the line to add when a new one is not recorded', () => {
    expect(withSources(['1-create-users.ts', 'first\nsecond\n'], ['2-create-rooms.ts', 'third\n'])).toEqual([
      expect.stringMatching(/^2-create-rooms\.ts is new: .*\n[0-9a-f]{64} {2}2-create-rooms\.ts$/),
    ]);
  });
});
