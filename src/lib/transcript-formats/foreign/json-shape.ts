import { itemsOf, memberAt, membersOf } from './json-values.js';
import { COMPETING, type FoundList } from './json-lists.js';
import { timeOf, unitOf } from './json-times.js';

/** A member with a time, and the unit that its name says, in seconds. */
export interface TimeMember {
  readonly path: string;
  readonly unit: number | null;
}

/** The paths of the members of an item that say the same, the best first. */
export interface ListShape {
  readonly start: readonly TimeMember[];
  readonly end: readonly TimeMember[];
  readonly duration: readonly TimeMember[];
  readonly text: readonly string[];
  readonly speaker: readonly string[];
  readonly confidence: readonly string[];
  readonly channel: readonly string[];
  /** Whether the items are words, and not what is said at a time. */
  readonly areWords: boolean;
}

/** Without underscores, in small letters. */
const TEXTS =
  'punctuatedword text transcript body caption sentence segment display itn lexical spokentext content rawtext utterance phrase line message words transcription subtitle dialogue speech what word token value utf8'.split(
    ' ',
  );
const AROUND = '^(?:t|time|data|word|audio|segment|cue|result|speech)?';
const TIMES = '(?:at|time|ts|timestamp|offset|datetime|timecode)*(?:in)?$';
/** A pair is its start and its end. */
const PAIR = '^(?:time(?:stamp|range)?s?|range)';
const START = new RegExp(`${AROUND}(?:start(?:ed)?|begin|from|bg|in)${TIMES}|${PAIR}0$`);
const END = new RegExp(`${AROUND}(?:end(?:ed)?|stop|out|to|until|ed)${TIMES}|${PAIR}1$`);
/** Read where there is no start. */
const POINT = /^(?:|t|ts|at|(?:time)?offset(?:in)?|time(?:stamp|code)?s?)$/;
const DURATION = /^[td]?(?:duration|dur|length)(?:in)?$/;
const CONFIDENCE = /^(?:confidence|conf|probability|prob|score|p|(?:avg)?logprob)$/;
const CHANNEL = /^channel(?:tag|index|id)?$/;

const PERSON = '(?:speaker|participant|users?|from|author|person|attendee|member)(?:\\.0)?';
/** Names come before numbers, and what is said of the item before what is said of something in it. */
const SPEAKERS = [
  /^(?:speaker|participant|user|author|display)_?name$/i,
  new RegExp(`^${PERSON}\\.(?:display_?name|full_?name|name|user_?name|label)$`, 'i'),
  /^(?:speaker|speaker_?label|username|participant|user|author|who|voice|actor|person|spk)$/i,
  /^(?:name|from|(?:alternatives|nBest)\.0\.speaker)$/i,
  /^(?:speaker_?(?:tag|id|number)|spk_?id|(?:user|participant)_?id|channel_label)$/i,
  new RegExp(`^${PERSON}\\.id$`, 'i'),
] as const;

const WORD_LIST = /(?:^|[.\]])(?:words?|tokens?|word_segments)$/;
const WORD = /^(?:(?:punctuated_?)?word|token|value|alternatives\.0\.content)$/i;
const MOST_MEMBERS = 1_000;

/** What the members of a list's items mean. */
export function shapeOf(list: FoundList): ListShape {
  const found = membersIn(list);
  const members = [...found.keys()];
  const times = members.filter((path) => timeOf(found.get(path)) !== null);
  const timesNamed = (name: RegExp, among = times): TimeMember[] =>
    among
      .filter((path) => name.test(unitOf(path).name))
      .sort((one, other) => timeRank(one) - timeRank(other))
      .map((path) => ({ path, unit: unitOf(path).unit }));
  const end = timesNamed(END);
  // What is wrong in all of them is reported.
  const starts = [timesNamed(START), timesNamed(POINT), end.length > 0 ? timesNamed(START, members) : []];
  const start = starts.find((paths) => paths.length > 0) ?? [];
  const named = members.filter((path) => textRank(path) >= 0 && !start.some((time) => time.path === path));
  const texts = named.filter((path) => typeof found.get(path) === 'string');
  const text = (texts.length > 0 ? texts : named.filter((path) => typeof found.get(path) === 'number')).sort(
    (one, other) => depthOf(one) - depthOf(other) || textRank(one) - textRank(other),
  );
  const isLabel = (path: string): boolean =>
    /string|number/.test(typeof found.get(path)) && !start.some((time) => time.path === path);
  return {
    start,
    end,
    duration: timesNamed(DURATION),
    text,
    speaker: SPEAKERS.flatMap((name) => members.filter((path) => name.test(path) && isLabel(path))),
    confidence: members.filter((path) => CONFIDENCE.test(nameOf(path))),
    channel: members.filter((path) => CHANNEL.test(nameOf(path))),
    areWords: WORD_LIST.test(list.path) || WORD.test(text[0] ?? '') || arePieces(list, text[0], start[0]),
  };
}

/** The members of the items, also those of an object or a pair in them, each with a value that it has. */
function membersIn({ groups }: FoundList): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (path: string, value: unknown): void => {
    if (value === null || value === '') return;
    const before = found.get(path);
    // One wrong value does not decide what a member is.
    if (before === undefined ? found.size < MOST_MEMBERS : timeOf(before) === null) found.set(path, value);
  };
  for (const { items } of groups)
    for (const item of items)
      for (const [name, value] of Object.entries(membersOf(item) ?? {})) {
        add(name, value);
        if (typeof value !== 'object' || timeOf(value) !== null) continue;
        for (const [inner, within] of entriesIn(name, value)) add(`${name}.${inner}`, within);
      }
  return found;
}

function entriesIn(name: string, value: object | null): [string, unknown][] {
  if (!Array.isArray(value)) return Object.entries(value ?? {});
  const isBest = COMPETING.test(name) || name === 'users';
  if (isBest) return Object.entries(membersOf(value[0]) ?? {}).map(([path, one]) => [`0.${path}`, one]);
  return value.length === 2 ? Object.entries(value) : [];
}

/** Chunks of Whisper may be words, or pieces of them. */
function arePieces({ groups }: FoundList, text?: string, start?: TimeMember): boolean {
  if (text === undefined || start?.path !== 'timestamp.0') return false;
  return groups.every(({ items }) => items.every((item) => /^\s?\S+$/.test(String(memberAt(item, text)))));
}

const nameOf = (path: string): string => unitOf(path).name;
const depthOf = (path: string): number => path.split('.').length;
const textRank = (path: string): number => TEXTS.indexOf(nameOf(path));

/** Times of the item come first, and of these the ones that say their unit. */
const timeRank = (path: string): number =>
  4 * depthOf(path) + (unitOf(path).unit === null ? 2 : 0) + (/offset/i.test(path) ? 1 : 0);

/** Words within what is said. */
export const wordsIn = (item: unknown): readonly unknown[] => {
  const { words, tokens, items } = membersOf(item) ?? {};
  return [words, tokens, items].map(itemsOf).find((list) => list.length > 0) ?? [];
};
