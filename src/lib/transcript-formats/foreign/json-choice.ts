import { firstAt, memberAt } from './json-values.js';
import { TranscriptFileError } from '../transcript-file.error.js';
import { FILE_LIMITS } from '../transcript.js';
import type { FoundList } from './json-lists.js';
import { shapeOf, type ListShape, type TimeMember } from './json-shape.js';
import { MOMENTS, timeOf, unitOfNumbers } from './json-times.js';

/** A list, and what its members mean. */
export interface ShapedList extends FoundList {
  readonly shape: ListShape;
}

/** How the times of a list are read. */
export interface TimeScale {
  /** Of numbers whose name does not say it, in seconds. */
  readonly unit: number;
  /** The first time if they are moments, from which the others are counted. */
  readonly base: number;
}

/** Names of lists of what is said, the best first. */
const LISTS =
  'utterances|turns speakers audio_segments|segments? sentences recognizedPhrases|phrases paragraphs chunks'
    .split(' ')
    .map((names) => new RegExp(`(?:^|[.\\]])(?:${names})$`));
const nameRank = (path: string): number => LISTS.findIndex((name) => name.test(path));
/** Ranks of lists with other names, and of words, from which sentences have to be made. */
const [OTHER, WORDS] = [50, 100];

/** The place of a list's name among those of transcripts. */
function rankOf({ path, shape }: ShapedList): number {
  if (shape.areWords) return WORDS;
  const at = nameRank(path);
  return (at < 0 ? OTHER : at) + (shape.start.length === 0 ? 2 * WORDS : 0);
}

export const shapedList = (list: FoundList): ShapedList => ({ ...list, shape: shapeOf(list) });

/**
 * The list that is the transcript: sentences rather than words, by names that are known and else by how much is said.
 * If none has texts and times, the one with the name of a transcript, so that errors say what it lacks; null if there is
 * none. Throws if two lists may be the transcript.
 */
export function chosenList(lists: readonly ShapedList[]): ShapedList | null {
  const found = lists
    .filter(isTimed)
    .map((list) => ({ list, rank: rankOf(list), said: charactersIn(list) }))
    .sort((one, other) => one.rank - other.rank || other.said - one.said);
  const words = found.find(({ rank, said }) => rank === WORDS && said > 0);
  const best = found.find(({ rank, said }) => rank !== OTHER || said * 2 > (words?.said ?? 0));
  const rival = found.find((one) => one !== best && one.rank === best?.rank && one.said * 2 > best.said);
  if (best && rival && (rival.said !== best.said || firstTextOf(rival.list) !== firstTextOf(best.list))) {
    const both = [best, rival].map(({ list }) => `"${list.path}"`).join(' and ');
    throw new TranscriptFileError('', `${both} may both be the transcript; send one of them`);
  }
  const isNamed = ({ path, shape: { text, start, end } }: ShapedList): boolean =>
    nameRank(path) >= 0 && text.length + start.length + end.length > 0;
  return best?.list ?? lists.find(isNamed) ?? null;
}

export const isTimed = ({ shape: { text, start, end } }: ShapedList): boolean =>
  text.length > 0 && start.length + end.length > 0;

const firstTextOf = ({ groups, shape }: ShapedList): unknown => firstAt(groups[0]?.items[0], shape.text);

function charactersIn({ groups, shape }: ShapedList): number {
  const items = groups.flatMap((group) => group.items);
  return items.reduce((sum: number, item) => sum + lengthOf(item, shape), 0);
}

const lengthOf = (item: unknown, { text }: ListShape): number => String(firstAt(item, text) ?? '').length;

/** The first of several members that is a time. */
export function timeAt(item: unknown, members: readonly TimeMember[]) {
  for (const { path, unit } of members) {
    const time = timeOf(memberAt(item, path));
    if (time) return { ...time, unit };
  }
  return null;
}

/** Decides by the whole list what its numbers are; throws if unsure, unless `usual` says what such a list has. */
export function scaleOf(
  { path, groups, shape }: ShapedList,
  duration: unknown,
  usual: number | null,
): TimeScale {
  let [areWhole, earliest, latest, characters, lasting] = [true, Infinity, 0, 0, 0];
  let base = Infinity;
  for (const { items } of groups) {
    let before: { at: number; said: number } | null = null;
    for (const item of items) {
      const start = timeAt(item, shape.start) ?? timeAt(item, shape.end);
      if (start?.as === 'moment') base = Math.min(base, start.value);
      if (start?.as !== 'number' || start.unit !== null) continue;
      const said = lengthOf(item, shape);
      const ends = timeAt(item, shape.end)?.value;
      const lasts = ends === undefined ? timeAt(item, shape.duration)?.value : ends - start.value;
      areWhole &&= [start.value, ends ?? 0, lasts ?? 0].every(Number.isInteger);
      earliest = Math.min(earliest, start.value);
      latest = Math.max(latest, ends ?? start.value);
      characters += lasts === undefined ? (before?.said ?? 0) : said;
      lasting += Math.max(0, lasts ?? (before ? start.value - before.at : 0));
      before = { at: start.value, said };
    }
  }
  const length = typeof duration === 'number' && duration < FILE_LIMITS.time ? duration : null;
  const isSingle = usual === 1 && groups[0]?.items.length === 1;
  const unit =
    earliest === Infinity || isSingle
      ? 1
      : unitOfNumbers({ areWhole, earliest, latest, characters, lasting, duration: length });
  if (unit === null && usual === null) {
    const name = shape.start[0]?.path ?? shape.end[0]?.path ?? 'start';
    throw new TranscriptFileError(
      `${path}[].${name}`.replace(/^\[\]\./, ''),
      `may be seconds or milliseconds; name it ${name}_seconds or ${name}_ms`,
    );
  }
  const moments = earliest >= MOMENTS && earliest < Infinity ? earliest * (unit ?? 1) : 0;
  return { unit: unit ?? usual ?? 1, base: base < Infinity ? base : moments };
}
