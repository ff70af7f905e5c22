import { listAt, memberAt } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { CLOCK, readSegments, speakerLabel, type SegmentShape } from './json-segments.js';

const LISTS = ['data.transcript.sentences', 'transcript.sentences', 'sentences', ''];

/** Replies of the API of Fireflies, with the members that were asked for. */
export const FIREFLIES_API: ReadableFormat<unknown> = {
  name: 'fireflies-api',
  title: 'Fireflies',
  recognizes: (file) => listAt(file, LISTS, isSentence) !== null,
  read: (file, draft) => {
    const { path, items } = listAt(file, LISTS, isSentence)!;
    const hasEnds = items.some((item) => memberAt(item, 'end_time') !== undefined);
    const shape: SegmentShape = {
      start: 'start_time',
      end: hasEnds ? 'end_time' : undefined,
      text: 'text|raw_text',
      unit: CLOCK,
    };
    readSegments(items, path, shape, draft, (item) => {
      const name = memberAt(item, 'speaker_name') ?? memberAt(item, 'speaker_id');
      return { speaker: speakerLabel(name), confidence: undefined };
    });
    return null;
  },
};

const isSentence = (item: unknown): boolean =>
  typeof memberAt(item, 'text|raw_text') === 'string' &&
  memberAt(item, 'speaker_name|speaker_id|raw_text') !== undefined;
