import { headOf, linesIn, placeOf } from '../transcript-text.js';
import { foreignLanguage } from '../foreign/json-values.js';
import type { TextFormat, TranscriptDraft, Turn } from '../transcript-draft.js';
import { TranscriptFileError } from '../transcript-file.error.js';
import { noteDoubtfulLines } from './doubtful-lines.js';
import { secondsOfStamp } from './time-stamps.js';
import { headersIn, isFurniture, type Header, type Headers, type Layout } from './turn-lines.js';
import { namedTurns, type FoundTurn } from './turn-names.js';
import { DAY_S } from '../../durations.js';

const LAYOUTS: Readonly<Record<Layout, string>> = {
  inline: 'text with a time in each line',
  above: 'text with a time above each turn',
};
const LANGUAGE = /^(?:Detected language:? '?|whisper_.{0,60}auto-detected language: )(\w{2,30})/m;
/** When a recording began, as a time of day. */
const BEGAN = /\bstart(?:ed|s)? at (\d{1,2}:\d{2}:\d{2} [AP]M)/i;

/** Text with a time, and maybe a name, in any order and brackets, in the line of what is said (`inline`) or above. */
export const TURNS: TextFormat = {
  name: 'turns',
  title: 'text with a time, and maybe a name, before or above what is said',
  match: (text) => {
    const found = headersIn(text);
    const points = { inline: pointsOf(found, 'inline'), above: pointsOf(found, 'above') };
    const layout = points.inline > points.above ? 'inline' : 'above';
    const [most, least] = [Math.max(points.inline, points.above), Math.min(points.inline, points.above)];
    if (most === 0) return null;
    return {
      points: most,
      read: (draft) => {
        if (isTie(most, least)) throw likeBoth(LAYOUTS.inline, LAYOUTS.above);
        for (const turn of turnsOf(text, found, layout, draft)) draft.addTurn(turn);
        return foreignLanguage(LANGUAGE.exec(headOf(text))?.[1]);
      },
    };
  },
};

/** Whether two readings explain about as much of a file. */
export const isTie = (most: number, less: number): boolean => less >= 2 && less >= most * 0.8;

/** The error for a file that can be read in two ways. */
export function likeBoth(one: string, other: string): TranscriptFileError {
  const reason = `looks as much like ${one} as like ${other}, so it is not read`;
  return new TranscriptFileError('', `${reason}; leave only one of them in the file`);
}

/** Lines that a text may have before its first turn, however short it is. */
const HEADING = 10;

/** How many lines a layout explains, less where its times go back; 0 if it leaves out or joins more than that. */
function pointsOf({ lines, before, ...found }: Headers, layout: Layout): number {
  const headers = found[layout];
  const [count, within] = [headers.length, lines - before[layout]];
  const distinct = headers.filter(({ isDistinct }) => isDistinct).length;
  if (count === 0 || before[layout] > Math.max(HEADING, within)) return 0;
  if (count === 1 && (before[layout] > 0 || distinct === 0)) return 0;
  if (layout === 'inline' && within > count * (distinct * 2 < count ? 2 : 10)) return 0;
  const back = headers.filter(({ start }, index) => index > 0 && start < headers[index - 1]!.start).length;
  return count * (1 - back / count);
}

function turnsOf(text: string, found: Headers, layout: Layout, draft: TranscriptDraft): readonly Turn[] {
  const own = found[layout].filter(({ isOwn }) => isOwn);
  const lines = own.length > 0 ? own : found[layout];
  const headers = layout === 'above' ? joined(lines, text) : lines;
  const isOfDay = headers.filter((header) => header.isOfDay).length * 2 > headers.length;
  const times = isOfDay ? withinMeeting(headers, text) : headers;
  const turns: FoundTurn[] = [];
  for (const [index, { line, start, end, name, from }] of times.entries()) {
    if (!draft.hasRoom(placeOf(line))) break;
    const said = text.slice(from, headers[index + 1]?.at ?? text.length);
    turns.push({ line, start, end: end === start ? null : end, speaker: '', name, text: said });
  }
  noteDoubtfulLines(text, headers, layout, draft);
  return namedTurns(turns, text.slice(0, headers[0]!.at), own.length > 0);
}

/** Lines with one time, between which nothing is said, are one. A later time is none: it says how long it all is. */
function joined(headers: readonly Header[], text: string): readonly Header[] {
  const result: Header[] = [];
  for (const header of headers) {
    const last = result.at(-1);
    const isFollowed = last && header.start <= last.start && isEmpty(text.slice(last.from, header.at));
    if (!isFollowed) result.push(header);
    else if (Math.floor(last.start) !== Math.floor(header.start)) result[result.length - 1] = header;
    else result[result.length - 1] = { ...header, at: last.at, name: header.name ?? last.name };
  }
  return result;
}

const isEmpty = (text: string): boolean =>
  linesIn(text).every((line) => line.trim() === '' || isFurniture(line));

/** Times of day are of the day on which they are closest to the one before, and count from when the recording began. */
function withinMeeting(headers: readonly Header[], text: string): Header[] {
  const began = BEGAN.exec(headOf(text))?.[1];
  const first = (began === undefined ? null : secondsOfStamp(began, false)) ?? headers[0]!.start;
  let before = first;
  return headers.map((header) => {
    before = header.start + DAY_S * Math.round((before - header.start) / DAY_S);
    return { ...header, start: Math.max(0, before - first), end: null };
  });
}
