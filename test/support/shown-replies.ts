import { readFileSync } from 'node:fs';

/** Commands of a Markdown file, with what it shows that they print. */
export interface ShownRun {
  readonly code: string;
  /** The block of no language or of JSON that follows; empty if there is none. */
  readonly shown: string;
}

/** The blocks of commands (`sh`) of a Markdown file. */
export function shownRuns(file: string): ShownRun[] {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  return blocks.flatMap(([, language, code = ''], index) => {
    const [, next = 'none', shown = ''] = blocks[index + 1] ?? [];
    return language === 'sh' ? [{ code, shown: next === '' || next === 'json' ? shown : '' }] : [];
  });
}

/** In shown JSON, what `...` stands for. */
const LEFT_OUT = '...';

/**
 * Where a shown value does not have the shape of the real one: names of members that the real one lacks or, unless the shown
 * one has `...`, has besides; other types. Of lists, what is shown before and after `...` is compared with both ends.
 */
export function findDifferences(shown: unknown, real: unknown, path = ''): string[] {
  if (shown === null || real === null) return [];
  if (Array.isArray(shown) && Array.isArray(real)) return differencesOfLists(shown, real, path);
  if (typeof shown !== typeof real || Array.isArray(shown) !== Array.isArray(real)) {
    return [`${path}: shown ${JSON.stringify(shown)}, is ${JSON.stringify(real)}`];
  }
  if (!isObject(shown) || !isObject(real)) return [];
  const names = Object.keys(shown).filter((name) => name !== LEFT_OUT);
  const missing = LEFT_OUT in shown ? [] : Object.keys(real).filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => `${path}.${name}: not shown`),
    ...names.flatMap((name) =>
      name in real
        ? findDifferences(shown[name], real[name], `${path}.${name}`)
        : [`${path}.${name}: is not there`],
    ),
  ];
}

function differencesOfLists(shown: readonly unknown[], real: readonly unknown[], path: string): string[] {
  const gap = shown.indexOf(LEFT_OUT);
  const [before, after] = gap < 0 ? [shown, []] : [shown.slice(0, gap), shown.slice(gap + 1)];
  const length = before.length + after.length;
  if (gap < 0 ? real.length !== length : real.length < length) return [`${path}: has ${real.length} entries`];
  const ends = [...real.slice(0, before.length), ...(after.length > 0 ? real.slice(-after.length) : [])];
  return [...before, ...after].flatMap((one, index) =>
    findDifferences(one, ends[index], `${path}[${index}]`),
  );
}

/** The JSON documents in a text, in order, each from a line that opens it; a line `...` stands for others between them. */
export function readDocuments(text: string): unknown[] {
  const documents = text.matchAll(/^(?:\.\.\.|[{[].*[}\]]|[{[]\n[^]*?^[}\]])$/gm);
  return Array.from(documents, ([json]) =>
    json === LEFT_OUT ? json : (JSON.parse(withLeftOut(json)) as unknown),
  );
}

/** JSON in which each `...` outside of a text is a member or an entry. */
function withLeftOut(json: string): string {
  const open: string[] = [];
  return json.replace(/"(?:[^"\\]|\\.)*"|[{[]|[}\]]|\.\.\./g, (token) => {
    if (token === '{' || token === '[') open.push(token);
    if (token === '}' || token === ']') open.pop();
    if (token !== LEFT_OUT) return token;
    return open.at(-1) === '{' ? `"${LEFT_OUT}": 0` : `"${LEFT_OUT}"`;
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
