import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const EXAMPLE = 'test/examples/bookmarks';
const TESTS = 'test/integration/extending.e2e-spec.ts';
/** Three backticks, the language and the name of a file; then the code. */
const FENCED = /^```(.*)\n([^]*?)\n```$/gm;

const section =
  /^## Add a resource\n[^]*?(?=^## )/m.exec(readFileSync('docs/extending.md', 'utf8'))?.[0] ?? '';
const files = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(EXAMPLE, file));

/** The file that an excerpt says it comes from. */
function sourceOf(info: string): string {
  const file = [...files, TESTS].find((one) => info === `ts ${basename(one)}`);
  if (file === undefined) throw new Error(`Not "ts" and the name of a file of the example: ${info}`);
  return readFileSync(file, 'utf8');
}

describe('"Add a resource" of docs/extending.md', () => {
  const excerpts = [...section.matchAll(FENCED)].map(([, info = '', code = '']) => [info, code] as const);

  it.each(excerpts)('%s matches the example code', (info, code) => {
    expect(`\n${sourceOf(info)}`).toContain(`\n${code}\n`);
  });

  it('has no other fenced code', () => {
    expect(section.match(/^ *(```|~~~)/gm)).toHaveLength(2 * excerpts.length);
  });

  it.each(files)('names %s', (file) => {
    expect(section).toContain(basename(file));
  });
});
