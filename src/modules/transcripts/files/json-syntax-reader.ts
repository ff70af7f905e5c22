import { printParseErrorCode, visit } from 'jsonc-parser';
import type { SkippedPart } from './transcript-file.error.js';
import { FILE_LIMITS } from './transcript-files.js';

/** By what `jsonc-parser` calls the mistakes; it tells where the text in quotes begins in which something is wrong. */
const REASONS: Readonly<Record<string, string>> = {
  ColonExpected: 'a colon is missing',
  EndOfFileExpected: 'something follows after the end',
  InvalidCharacter: 'the text in quotes that begins here holds a control character',
  InvalidCommentToken: 'comments are not allowed',
  InvalidEscapeCharacter: 'the text in quotes that begins here holds a broken escape',
  InvalidUnicode: 'the text in quotes that begins here holds a broken escape',
  PropertyNameExpected: 'a name in double quotes is missing',
  UnexpectedEndOfNumber: 'the number is incomplete',
  UnexpectedEndOfString: 'the text in quotes that begins here does not end on its line',
  ValueExpected: 'a value is missing',
};

/** Ends the visit: there is no other way to. */
class Refusal extends Error {
  constructor(readonly mistake: SkippedPart) {
    super(mistake.reason);
  }
}

/**
 * The first mistake in a JSON text, null when there is none. `JSON.parse` does not tell the place of every mistake, and takes
 * gigabytes for twenty megabytes of brackets: depth and number of values are limited here, before it.
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
      refuse(line, character, `more than ${FILE_LIMITS.jsonDepth} levels`);
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

/** Lines and characters are counted from 0 by the library. */
function refuse(line: number, character: number, reason: string): never {
  throw new Refusal({ place: `line ${line + 1}, column ${character + 1}`, reason });
}

function reasonOf(mistake: string, atEnd: boolean, close: string | undefined, begun: boolean): string {
  if (atEnd) return 'the file ends too early';
  if (begun && close === undefined) return 'something follows after the end';
  if (mistake === 'CommaExpected') return `a comma or ${close} is missing`;
  return REASONS[mistake] ?? 'unexpected characters';
}
