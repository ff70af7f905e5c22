import { printParseErrorCode, visit } from 'jsonc-parser';
import type { SkippedPart } from './transcript-file.error.js';
import { FILE_LIMITS } from './transcript-files.js';

/** By error name of `jsonc-parser`, which reports errors in a string at its beginning. */
const REASONS: Readonly<Record<string, string>> = {
  ColonExpected: 'expected a colon',
  EndOfFileExpected: 'unexpected text after the end',
  InvalidCharacter: 'the string that begins here contains a control character',
  InvalidCommentToken: 'comments are not allowed',
  InvalidEscapeCharacter: 'the string that begins here contains an invalid escape sequence',
  InvalidUnicode: 'the string that begins here contains an invalid escape sequence',
  PropertyNameExpected: 'expected a name in double quotes',
  UnexpectedEndOfNumber: 'the number is incomplete',
  UnexpectedEndOfString: 'the string that begins here is not closed',
  ValueExpected: 'expected a value',
};

/** Thrown to end the visit, which the library offers no other way to do. */
class Refusal extends Error {
  constructor(readonly mistake: SkippedPart) {
    super(mistake.reason);
  }
}

/**
 * The first error in a JSON text; null if it is valid. `JSON.parse` does not report the position of every error, and takes
 * gigabytes of memory for twenty megabytes of brackets, so depth and number of values are limited here first.
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
    if (open.length > FILE_LIMITS.jsonDepth) {
      refuse(line, character, `more than ${FILE_LIMITS.jsonDepth} levels of nesting`);
    }
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

/** The library counts lines and characters from 0. */
function refuse(line: number, character: number, reason: string): never {
  throw new Refusal({ place: `line ${line + 1}, column ${character + 1}`, reason });
}

function reasonOf(mistake: string, atEnd: boolean, close: string | undefined, begun: boolean): string {
  if (atEnd) return 'unexpected end of file';
  if (begun && close === undefined) return 'unexpected text after the end';
  if (mistake === 'CommaExpected') return `expected a comma or ${close}`;
  return REASONS[mistake] ?? 'unexpected characters';
}
