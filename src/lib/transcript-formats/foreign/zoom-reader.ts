import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { clockSeconds, readTurns, type TurnHeader } from './foreign-turns.js';

/** `[Ada Byron] 10:00:01`: the time of day. */
const HEADER = /^\[([^\r\n]{0,150})\] (\d{2}:\d{2}:\d{2})[ \t]*$/;
const BEGINS = /^\s{0,100}\[[^\r\n]{0,150}\] \d{2}:\d{2}:\d{2}[ \t]*[\r\n]/;
const DAY = 24 * 60 * 60;

/** Captions that Zoom saved during a meeting. The first one is at 0: when the recording began is not in the file. */
export const ZOOM: ReadableFormat<string> = {
  name: 'zoom',
  title: 'Zoom',
  recognizes: (text) => BEGINS.test(headOf(text)),
  read: (text, draft) => {
    readTurns(text, { headerOf: headers() }, draft);
    return null;
  },
};

/** Times of day are of the day on which they are closest to the one before. */
function headers(): (line: string) => TurnHeader | null {
  let [first, before]: [number | null, number] = [null, 0];
  return (line) => {
    const match = HEADER.exec(line);
    if (!match) return null;
    const time = clockSeconds(match[2]!);
    first ??= before = time;
    before = time + DAY * Math.round((before - time) / DAY);
    return { start: Math.max(0, before - first), speaker: match[1]! };
  };
}
