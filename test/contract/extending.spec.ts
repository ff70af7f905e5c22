import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { exampleFiles } from '../jest/example-files.js';

/** Three backticks, the language and the path of a file; then the code. */
const FENCED = /^```(.*)\n([^]*?)\n```$/gm;

const section =
  /^## Add a resource\n[^]*?(?=^## )/m.exec(readFileSync('docs/extending.md', 'utf8'))?.[0] ?? '';
const files: Readonly<Record<string, string>> = exampleFiles();

describe('"Add a resource" of docs/extending.md', () => {
  const excerpts = [...section.matchAll(FENCED)].map(([, info = '', code = '']) => [info, code] as const);

  it.each(excerpts)('%s is what the example has there', (info, code) => {
    expect(`\n${files[info.replace('ts ', '')] ?? ''}`).toContain(`\n${code}\n`);
  });

  it('has no other fenced code', () => {
    expect(section.match(/^ *(```|~~~)/gm)).toHaveLength(2 * excerpts.length);
  });

  it.each(Object.keys(files))('names %s', (file) => {
    expect(section).toContain(basename(file));
  });
});
