import { createScanner, printParseErrorCode, visit } from 'jsonc-parser';
import type { SkippedPart } from './transcript-file.error.js';
import { FILE_LIMITS } from './transcript.js';

/** Thrown to end the visit, which the library offers no other way to do. */
class Refusal extends Error {
  constructor(readonly mistake: SkippedPart) {
    super(mistake.reason);
  }
}

/**
 * The first error in a JSON text; null if it is valid. `JSON.parse` does not report the position of every error, and
 * takes gigabytes of memory for twenty megabytes of brackets, so depth and number of values are limited here first.
 */
export function jsonMistakeOf(text: string): SkippedPart | null {
  const open: ('}' | ']')[] = [];
  let entries = 0;
  const count = (line: number, character: number): void => {
    entries += 1;
    if (entries > FILE_LIMITS.jsonEntries) refuse(line, character, 'too many values');
  };
  const enter = (close: '}' | ']') => (_at: number, _length: number, line: number, character: number) => {
    count(line, character);
    open.push(close);
    if (open.length > FILE_LIMITS.jsonDepth)
      refuse(line, character, `more than ${FILE_LIMITS.jsonDepth} levels of nesting`);
  };
  const leave = (): void => void open.pop();
  try {
    visit(
      text,
      {
        onObjectBegin: enter('}'),
        onArrayBegin: enter(']'),
        onObjectEnd: leave,
        onArrayEnd: leave,
        onSeparator: (mark, _at, _length, line, character) => {
          if (mark === ',') count(line, character);
        },
        onError: (code, at, _length, line, character) => {
          const atEnd = at === text.length;
          refuse(line, character, reasonOf(printParseErrorCode(code), atEnd, open.at(-1), entries > 0));
        },
      },
      { disallowComments: true },
    );
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.mistake;
    throw error;
  }
}

/** The reason of a mistake that JSON Lines have. */
export const AFTER_END = 'unexpected text after the end';

/** JSON Lines, and objects that are printed one after another, as a list; other texts as they are. */
export function listOfLines(text: string): string {
  const lines = text.split('\n');
  let last = 0;
  let isList = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const isNext = index > last && line.trimStart().startsWith('{') && lines[last]!.trimEnd().endsWith('}');
    if (isNext) lines[last] += ',';
    isList ||= isNext;
    last = index;
  }
  return isList ? `[${lines.join('\n')}]` : text;
}

/** Values of `SyntaxKind` of `jsonc-parser`, whose constants are in its types only. */
const [UNKNOWN, END] = [16, 17];

/** The text with `null` for `NaN` and `Infinity`, which Python writes; positions stay, unless it has no spaces. */
export function withoutNonFinite(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text;
  const scanner = createScanner(text, true);
  const pieces: string[] = [];
  let from = 0;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind !== UNKNOWN || !/^(?:NaN|Infinity)$/.test(scanner.getTokenValue())) continue;
    if (pieces.length > 2 * FILE_LIMITS.jsonEntries) break;
    const at = scanner.getTokenOffset();
    const to = at + scanner.getTokenLength();
    const first = /[- ]/.test(text.charAt(at - 1)) ? at - 1 : at;
    pieces.push(text.slice(from, first), 'null'.padEnd(to - first));
    from = to;
  }
  return pieces.join('') + text.slice(from);
}

/** The library counts lines and characters from 0. */
function refuse(line: number, character: number, reason: string): never {
  throw new Refusal({ place: `line ${line + 1}, column ${character + 1}`, reason });
}

/** `mistake`: an error name of `jsonc-parser`, such as `ColonExpected`. Errors in a string are at its beginning. */
function reasonOf(mistake: string, atEnd: boolean, close: string | undefined, begun: boolean): string {
  if (atEnd) return 'unexpected end of file';
  if (begun && close === undefined) return AFTER_END;
  if (mistake === 'CommaExpected') return `comma or ${close} expected`;
  return mistake.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase();
}
