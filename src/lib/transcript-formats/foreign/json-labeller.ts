import { firstAt, memberAt, membersOf } from '../json-values.js';
import type { ShapedList } from './json-choice.js';
import { channelLabel, confidenceAt, confidenceOfWords, speakerLabel } from './json-labels.js';
import type { Group, Owner } from './json-lists.js';
import type { LabelOf, TimedText } from './json-reader.js';
import { timeAt } from './json-choice.js';
import { wordsIn } from './json-shape.js';

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
      shape.channel.length > 0
        ? group.items.map((item) => channelOf(item, group))
        : [channelOf(undefined, group)],
    ),
  );
  const speakers = shape.speaker.length > 0 ? new Map<unknown, unknown>() : speakersByStart(lists);
  const confidenceOf = confidencesOf(list, lists);
  return (item, said, group) => {
    const given = speakerIn(item, shape.speaker);
    const speaker = given || speakers.get(startIn(item)) || around(group.owner, 'speaker');
    const channel = channelOf(item, group);
    const label = channelLabel(speakerLabel(speaker), channel, channels.size > 1);
    return { speaker: label, confidence: confidenceOf(item, said, group), channel };
  };
}

/** Google's tag of nobody is 0. */
function speakerIn(item: unknown, paths: readonly string[]): unknown {
  const path = paths.find((one) => (firstAt(item, [one]) ?? '') !== '');
  const given = path === undefined ? undefined : memberAt(item, path);
  return given === 0 && !/tag$/i.test(path!) ? '0' : given;
}

/** Older output of Amazon Transcribe says apart from the words who spoke when. */
function speakersByStart(lists: readonly ShapedList[]): Map<unknown, unknown> {
  const speakers = new Map<unknown, unknown>();
  for (const { groups, shape } of lists) {
    if (shape.text.length > 0 || shape.speaker.length === 0) continue;
    for (const item of groups.flatMap(({ items }) => items)) {
      const start = startIn(item);
      if (start !== undefined) speakers.set(start, firstAt(item, shape.speaker));
    }
  }
  return speakers;
}

const startIn = (item: unknown): unknown => firstAt(item, ['start_time', 'startTime', 'start']);

/** The confidence of an item: its own, that of the words in it or at its time, or that of what it is a part of. */
function confidencesOf(list: ShapedList, lists: readonly ShapedList[]) {
  const { shape } = list;
  const words = lists.filter((one) => one !== list && one.shape.areWords && one.shape.confidence.length > 0);
  const shapes = new Map(lists.map((one) => [`${one.path}[]`, one.shape]));
  const besides = new Map<
    unknown,
    { readonly items: readonly unknown[]; next: number; shape: ShapedList['shape'] }
  >();
  for (const { groups, shape: of } of words) {
    for (const { owner, items } of groups) besides.set(owner?.members, { items, next: 0, shape: of });
  }
  const byId = new Map(
    words.flatMap(({ groups }) =>
      groups.flatMap(({ items }) => items.map((word): [unknown, unknown] => [memberAt(word, 'id'), word])),
    ),
  );
  const atTime = ({ end }: TimedText, owner: Owner | null): number | undefined => {
    let one = owner;
    while (one && !besides.has(one.members)) one = one.up;
    const beside = one && besides.get(one.members);
    if (!beside) return undefined;
    const first = beside.next;
    const isWithin = (word: unknown): boolean =>
      !((timeAt(word, beside.shape.start)?.value ?? 0) >= (end ?? Infinity));
    while (beside.next < beside.items.length && isWithin(beside.items[beside.next])) beside.next += 1;
    return confidenceOfWords(beside.items.slice(first, beside.next));
  };
  return (item: unknown, said: TimedText, { owner }: Group): number | undefined => {
    const within = wordsIn(item).map((word) => (membersOf(word) ? word : byId.get(word)));
    const own = confidenceAt(item, shape.confidence) ?? confidenceOfWords(within);
    if (own !== undefined) return own;
    if (!shape.areWords && within.length === 0) return atTime(said, owner);
    const around = owner && shapes.get(owner.path);
    return around ? confidenceAt(owner.members, around.confidence) : undefined;
  };
}
