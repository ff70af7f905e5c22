import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { clockSeconds, readTurns, type TurnHeader } from './foreign-turns.js';

/** `Ada Byron  0:03`; a speaker who was not recognized has no name. */
const HEADER = /^(?:(\S.{0,99}?)[ \t\u00a0]{2,10})?((?:\d{1,3}:)?\d{1,3}:\d{2})[ \t\u00a0]*$/;
const FIRST_HEADER = /^(?:\S.{0,99}?[ \t\u00a0]{2,10})(?:\d{1,3}:)?\d{1,3}:\d{2}[ \t\u00a0]*$/m;
const FOOTER = /^Transcribed by https?:\/\/otter\.ai/i;

/** Text of Otter: a line with name and time, then what was said. */
export const OTTER: ReadableFormat<string> = {
  name: 'otter',
  title: 'Otter',
  recognizes: (text) =>
    FIRST_HEADER.test(headOf(text)) || /^Transcribed by https?:\/\/otter\.ai/im.test(text),
  read: (text, draft) => {
    readTurns(text, { headerOf: nameAndTime, skips: (line) => FOOTER.test(line) }, draft);
    return null;
  },
};

/** The header in a line such as `Ada Byron  0:03`. */
export function nameAndTime(line: string): TurnHeader | null {
  const match = HEADER.exec(line);
  return match && { start: clockSeconds(match[2]!), speaker: match[1] ?? '' };
}
