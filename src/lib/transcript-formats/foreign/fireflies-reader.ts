import { forEachLine } from '../captions/captions-lines.js';
import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { clockSeconds, readTurns, SHORT_LINE, type TurnHeader } from './foreign-turns.js';

const TIME = String.raw`(?<time>(?:\d{1,3}:)?\d{1,3}:\d{2})`;
const NAME = String.raw`(?<name>[^\s:\d[(][^:]{0,79}?)`;
/** `Ada Byron - 00:03`, `00:03 - Ada Byron`, `00:03 Ada Byron: Hello` and `[00:03] Ada Byron: Hello`. */
const HEADERS = [
  new RegExp(String.raw`^${NAME} [-–—] ${TIME}\s*$`),
  new RegExp(String.raw`^${TIME} [-–—] ${NAME}\s*$`),
  new RegExp(String.raw`^\[?${TIME}\]?(?: [-–—|])? ${NAME}: `),
];
/** Headers in a file that does not begin with one. */
const ENOUGH = 2;

/** Text of Fireflies and others that write name and time before each turn. */
export const FIREFLIES: ReadableFormat<string> = {
  name: 'fireflies',
  title: 'Fireflies',
  recognizes: (text) => {
    let [lines, headers] = [0, 0];
    forEachLine(headOf(text), { at: 0, line: 1 }, (from, to) => {
      const line = text.slice(from, Math.min(to, from + SHORT_LINE));
      if (line.trim() === '') return true;
      lines += 1;
      if (headerOf(line)) headers += lines === 1 ? ENOUGH : 1;
      return headers < ENOUGH;
    });
    return headers >= ENOUGH;
  },
  read: (text, draft) => {
    readTurns(text, { headerOf }, draft);
    return null;
  },
};

function headerOf(line: string): TurnHeader | null {
  for (const [index, pattern] of HEADERS.entries()) {
    const match = pattern.exec(line);
    if (!match) continue;
    const header = { start: clockSeconds(match.groups!['time']!), speaker: match.groups!['name']!.trim() };
    return index < 2 ? header : { ...header, textAt: match[0].length };
  }
  return null;
}
