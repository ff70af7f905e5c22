import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeLlamaTokens } from '../../src/modules/transcription/speech/llama-vocabulary.js';

describe('the vocabulary of the built-in model', () => {
  let folder: string;
  let lines: string[];
  /** The bytes of each token. */
  let tokens: Buffer[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-vocabulary-'));
    const path = join(folder, 'tokens.txt');
    await writeLlamaTokens(path);
    lines = (await readFile(path, 'utf8')).split('\n');
    tokens = lines.slice(0, -1).map((line) => Buffer.from(line.split(' ')[0] ?? '', 'base64'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('has 32,768 lines of a token in base64 and its number', () => {
    expect(lines).toHaveLength(32_769);
    expect(lines.at(-1)).toBe('');
    const malformed = lines
      .slice(0, -1)
      .filter((line, id) => !/^[A-Za-z0-9+/]+=* (\d+)$/.test(line) || !line.endsWith(` ${id}`));
    expect(malformed).toEqual([]);
  });

  it('has words after a blank, and parts of words without one', () => {
    const texts = tokens.map(String);
    expect(texts).toContain(' the');
    expect(texts).toContain('ing');
    expect(texts.filter((text) => text.includes('\u2581'))).toEqual([]);
  });

  it('has all 256 bytes, so that every character can be written', () => {
    expect(tokens.slice(3, 259).map((bytes) => [...bytes])).toEqual(
      Array.from({ length: 256 }, (_, byte) => [byte]),
    );
  });

  it('has blanks for the special tokens at its end', () => {
    expect(new Set(tokens.slice(32_000).map(String))).toEqual(new Set([' ']));
  });
});
