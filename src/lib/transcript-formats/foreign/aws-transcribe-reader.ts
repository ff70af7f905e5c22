import { itemsOf, memberAt } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import {
  foreignLanguage,
  meanShare,
  readSegments,
  SECONDS_IN_STRING,
  type SegmentShape,
} from './json-segments.js';
import { readWords } from './json-words.js';

const SEGMENT: SegmentShape = {
  start: 'start_time',
  end: 'end_time',
  text: 'transcript',
  unit: SECONDS_IN_STRING,
};
const WORD: SegmentShape = { ...SEGMENT, text: 'alternatives.0.content' };

/** Output of Amazon Transcribe: `results.audio_segments`, else `results.items`; punctuation is the word's before. */
export const AWS_TRANSCRIBE: ReadableFormat<unknown> = {
  name: 'aws-transcribe',
  title: 'Amazon Transcribe',
  recognizes: (file) =>
    Array.isArray(memberAt(file, 'results.items')) || Array.isArray(memberAt(file, 'results.audio_segments')),
  read: (file, draft) => {
    const items = itemsOf(memberAt(file, 'results.items'));
    const segments = itemsOf(memberAt(file, 'results.audio_segments'));
    if (segments.length > 0) {
      const confidences = new Map(items.map((item) => [memberAt(item, 'id'), confidenceOf(item)]));
      readSegments(segments, 'results.audio_segments', SEGMENT, draft, (segment) => ({
        speaker: speakerOf(segment),
        confidence: meanShare(itemsOf(memberAt(segment, 'items')).map((id) => confidences.get(id))),
      }));
    } else {
      const speakers = speakersByStart(file);
      readWords(items, 'results.items', WORD, draft, (item) => ({
        speaker: speakerOf(item) || (speakers.get(memberAt(item, 'start_time')) ?? ''),
        confidence: confidenceOf(item),
        attached: isPunctuation(item),
      }));
    }
    return foreignLanguage(memberAt(file, 'results.language_code'));
  },
};

/** Older output gives the speakers of the items apart from them. */
function speakersByStart(file: unknown): Map<unknown, string> {
  const speakers = new Map<unknown, string>();
  for (const segment of itemsOf(memberAt(file, 'results.speaker_labels.segments'))) {
    for (const item of itemsOf(memberAt(segment, 'items'))) {
      speakers.set(memberAt(item, 'start_time'), speakerOf(item) || speakerOf(segment));
    }
  }
  return speakers;
}

const isPunctuation = (item: unknown): boolean => memberAt(item, 'type') === 'punctuation';

/** Punctuation always has a confidence of 0. */
const confidenceOf = (item: unknown): unknown =>
  isPunctuation(item) ? undefined : memberAt(item, 'alternatives.0.confidence');

function speakerOf(value: unknown): string {
  const label = memberAt(value, 'speaker_label') ?? memberAt(value, 'channel_label');
  return typeof label === 'string' ? label : '';
}
