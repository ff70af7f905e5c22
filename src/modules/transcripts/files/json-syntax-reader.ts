import { FILE_LIMITS } from './transcript-files.js';

export interface SyntaxMistake {
  /** Index in the text. */
  readonly at: number;
  readonly reason: string;
}

/** What may come next. */
type Next = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * The first mistake in a JSON text, null when there is none. `JSON.parse` does not tell the place of every mistake, and takes
 * gigabytes for twenty megabytes of brackets: depth and number of values are limited here, before it.
 */
export function jsonMistakeOf(text: string): SyntaxMistake | null {
  const open: string[] = [];
  let [at, entries] = [0, 0];
  let next: Next = 'value';
  const after = (): Next => (open.length === 0 ? 'nothing' : ', or end');

  for (;;) {
    at = endOfBlanks(text, at);
    if (entries > FILE_LIMITS.jsonEntries) return { at, reason: 'too many values' };
    const character = text[at];
    if (character === undefined) return next === 'nothing' ? null : { at, reason: 'the file ends too early' };
    if (next === 'nothing') return { at, reason: 'something follows after the end' };
    const closes = character === open.at(-1) && (next === ', or end' || next.endsWith(character));
    if (closes) {
      open.pop();
      at += 1;
      next = after();
    } else if (next === ':' || next === ', or end') {
      if (character !== (next === ':' ? ':' : ',')) {
        return { at, reason: next === ':' ? 'a colon is missing' : `a comma or ${open.at(-1)} is missing` };
      }
      at += 1;
      if (next === ', or end') entries += 1;
      next = next === ':' || open.at(-1) === ']' ? 'value' : 'name';
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (end < 0) return { at: -end, reason: 'the text in quotes is broken here' };
      at = end;
      next = next.startsWith('name') ? ':' : after();
    } else if (next.startsWith('name')) {
      return { at, reason: 'a name in double quotes is missing' };
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      entries += 1;
      if (open.length > FILE_LIMITS.jsonDepth)
        return { at, reason: `more than ${FILE_LIMITS.jsonDepth} levels` };
      at += 1;
      next = character === '{' ? 'name or }' : 'value or ]';
    } else {
      const end = endOf(SCALAR, text, at);
      if (end === at) return { at, reason: 'a value is missing' };
      at = end;
      next = after();
    }
  }
}

function endOfBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Where a match that begins at `at` ends; `at` itself where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Behind the closing quote; where it is broken, the negative of that place. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -at;
    if (code === 0x5c) {
      const end = endOf(ESCAPE, text, at);
      if (end === at) return -at;
      at = end - 1;
    }
  }
  return -text.length;
}
