import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { readTurns, type Turn, type TurnHeader } from './foreign-turns.js';
import { nameAndTime } from './otter-reader.js';

/** `0:0:2.90 --> 0:0:4.480`: without leading zeros, also in milliseconds, so that `.90` is 90 ms. */
const TIMES = /^(\d{1,3}):(\d{1,2}):(\d{1,2})\.(\d{1,3}) --> (\d{1,3}):(\d{1,2}):(\d{1,2})\.(\d{1,3})\s*$/;
const FIRST_TIMES = /^\d{1,3}:(?:\d:\d{1,2}|\d\d:\d)\.\d{1,3} --> \d{1,3}:\d{1,2}:\d{1,2}\.\d{1,3}[ \t]*$/m;
/** `Ada Byron   0:03`. */
const FIRST_HEADER = /^\S.{0,99}?[ \t\u00a0]{3,10}(?:\d{1,3}:)?\d{1,3}:\d{2}[ \t\u00a0]*$/m;
const EVENT = /^\S.{0,99} (?:started|stopped) transcription\s*$/;

/**
 * Transcripts that Microsoft Teams gives as Word documents. Older ones have times, name and text on lines of their own,
 * newer ones a line with name and time before the text.
 */
export const TEAMS: ReadableFormat<string> = {
  name: 'teams',
  title: 'Microsoft Teams',
  recognizes: (text) => hasTimesOfTeams(text) || FIRST_HEADER.test(headOf(text)),
  read: (text, draft) => {
    if (hasTimesOfTeams(text)) readTurns(text, { headerOf: timesOf, skips, finish: withName }, draft);
    else readTurns(text, { headerOf: nameAndTime, skips }, draft);
    return null;
  },
};

/** Whether a text has timing lines as only Teams writes them: captions have leading zeros. */
export function hasTimesOfTeams(text: string): boolean {
  return FIRST_TIMES.test(headOf(text));
}

const skips = (line: string): boolean => EVENT.test(line);

function timesOf(line: string): TurnHeader | null {
  const match = TIMES.exec(line);
  if (!match) return null;
  const [start, end] = [match.slice(1, 5), match.slice(5)].map(secondsOf) as [number, number];
  return { start, end, speaker: '' };
}

function secondsOf(parts: readonly string[]): number {
  const [hours, minutes, seconds, milliseconds] = parts.map(Number) as [number, number, number, number];
  return (((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds) / 1000;
}

/** The first line of a turn is the name, unless there is no other. */
function withName(turn: Turn): Turn {
  const end = turn.text.search(/[\r\n]/);
  return end < 0 ? turn : { ...turn, speaker: turn.text.slice(0, end), text: turn.text.slice(end).trim() };
}
