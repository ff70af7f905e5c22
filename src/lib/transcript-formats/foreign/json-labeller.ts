import { timeAt, type ShapedList } from './json-choice.js';
import type { Group, Owner } from './json-lists.js';
import type { LabelOf, TimedText } from './json-reader.js';
import { wordsIn, type ListShape } from './json-shape.js';
import {
  confidenceAt,
  confidenceOfWords,
  firstAt,
  memberAt,
  membersOf,
  speakerLabel,
} from './json-values.js';

/** Says of each item of a list who said it, by its members, those of the lists around it, and lists beside it. */
export function labelsOf(list: ShapedList, lists: readonly ShapedList[]): LabelOf {
  const { groups, shape } = list;
  const shapes = new Map(lists.map((one) => [`${one.path}[]`, one.shape]));
  const around = (owner: Owner | null, role: 'speaker' | 'channel'): unknown => {
    for (let one = owner; one; one = one.up) {
      const given = firstAt(one.members, shapes.get(one.path)?.[role] ?? []);
      if (given !== undefined && given !== '') return given;
    }
    return undefined;
  };
  const channelOf = (item: unknown, { place, owner }: Group): unknown =>
    firstAt(item, shape.channel) ??
    around(owner, 'channel') ??
    /(?:channels|transcripts)\[(\d+)\]/.exec(place)?.[1];
  const channels = new Set(
    groups.flatMap((group) =>
      (shape.channel.length > 0 ? group.items : [undefined]).map((item) => channelOf(item, group)),
    ),
  );
  const speakers = shape.speaker.length > 0 ? null : speakersByStart(lists);
  const confidenceOf = confidencesOf(list, lists, shapes);
  return (item, said, group) => {
    const given = speakerIn(item, shape.speaker);
    const speaker = given || speakers?.get(startIn(item)) || around(group.owner, 'speaker');
    const channel = channelOf(item, group);
    const label = channelLabel(speakerLabel(speaker), channel, channels.size > 1);
    return { speaker: label, confidence: confidenceOf(item, said, group), channel };
  };
}

/** Google's tag of nobody is 0. */
function speakerIn(item: unknown, paths: readonly string[]): unknown {
  const path = paths.find((one) => (memberAt(item, one) ?? '') !== '');
  const given = path === undefined ? undefined : memberAt(item, path);
  return given === 0 && !/tag$/i.test(path!) ? '0' : given;
}

/** Names of channels come before those of speakers; numbers only if there are several, and before numbers. */
function channelLabel(label: string, channel: unknown, several: boolean): string {
  const isName = typeof channel === 'string' && !/^\d+$/.test(channel);
  if (channel === undefined || !(isName || (several && /^(?:Speaker \w+)?$/.test(label)))) return label;
  return [isName ? channel : `Channel ${String(channel)}`, label].filter(Boolean).join(', ');
}

/** Older output of Amazon Transcribe says apart from the words who spoke when. */
function speakersByStart(lists: readonly ShapedList[]): ReadonlyMap<unknown, unknown> {
  const apart = lists.filter(({ shape }) => shape.text.length === 0 && shape.speaker.length > 0);
  const speakers = apart.flatMap(({ groups, shape }) =>
    groups.flatMap(({ items }) =>
      items.map((item) => [startIn(item), firstAt(item, shape.speaker)] as const),
    ),
  );
  return new Map(speakers.filter(([start]) => start !== undefined));
}

const startIn = (item: unknown): unknown => firstAt(item, ['start_time', 'startTime', 'start']);

/** The confidence of an item: its own, that of the words in it or at its time, or that of what it is a part of. */
function confidencesOf(
  list: ShapedList,
  lists: readonly ShapedList[],
  shapes: ReadonlyMap<string, ListShape>,
): (item: unknown, said: TimedText, group: Group) => number | undefined {
  const { shape } = list;
  const wordLists = lists
    .filter((one) => one !== list && one.shape.areWords && one.shape.confidence.length > 0)
    .flatMap((one) => one.groups.map(({ owner, items }) => ({ owner, items, shape: one.shape })));
  const byId = new Map(wordLists.flatMap(({ items }) => items.map((word) => [memberAt(word, 'id'), word])));
  /** By the object around the words; `next` is the first that is not counted yet. */
  const besides = new Map(wordLists.map(({ owner, ...words }) => [owner?.members, { ...words, next: 0 }]));
  const atTime = ({ end }: TimedText, owner: Owner | null): number | undefined => {
    let one = owner;
    while (one && !besides.has(one.members)) one = one.up;
    const beside = one && besides.get(one.members);
    if (!beside) return undefined;
    const { items, next } = beside;
    const startOf = (word: unknown): number => timeAt(word, beside.shape.start)?.value ?? 0;
    while (beside.next < items.length && !(startOf(items[beside.next]) >= (end ?? Infinity)))
      beside.next += 1;
    return confidenceOfWords(items.slice(next, beside.next));
  };
  return (item, said, { owner }) => {
    const within = wordsIn(item).map((word) => (membersOf(word) ? word : byId.get(word)));
    const own = confidenceAt(item, shape.confidence) ?? confidenceOfWords(within);
    if (own !== undefined) return own;
    if (!shape.areWords && within.length === 0) return atTime(said, owner);
    const around = owner && shapes.get(owner.path);
    return around ? confidenceAt(owner.members, around.confidence) : undefined;
  };
}
