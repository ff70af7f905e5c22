import { existsSync, readFileSync } from 'node:fs';

const FILES = ['.e2e-spec.ts', '.spec.ts'];

/**
 * What is wrong with the name of a test, `folder/file > title` or, for one case of `it.each`, `folder/file > title >
 * case`; null: there is such a test. The title as it is written, with its `%s`.
 */
export function mistakeOfProof(proof: string): string | null {
  const [, file = '', title = '', row] = /^(\S+) > (.+?)(?: > (.+))?$/.exec(proof) ?? [];
  if (title === '') return `"${proof}" is not of the form "folder/file > title of the test"`;
  const path = FILES.map((ending) => `test/${file}${ending}`).find((one) => existsSync(one));
  if (!path) return `there is no test/${file}${FILES.join(' or ')}`;
  const source = readFileSync(path, 'utf8');
  if (!hasTest(source, title)) return `${path} has no test of the title "${title}"`;
  if (row !== undefined && !source.includes(`['${row}'`)) return `${path} has no case '${row}' of "${title}"`;
  return null;
}

/** `it('title'` and `it.each(...)('title'`, in any quotes. */
function hasTest(source: string, title: string): boolean {
  const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'");
  return new RegExp(`(?:\\bit\\(|\\)\\()\\s*(['"\`])${quoted}\\1\\s*,`).test(source);
}

/** Fails with these lines, where there are any. */
export function expectNone(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
}
