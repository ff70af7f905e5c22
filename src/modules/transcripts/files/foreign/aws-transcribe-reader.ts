import { itemsOf, memberAt } from '../json-values.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';
import type { ForeignFormat } from './foreign-format.js';
import {
  foreignLanguage,
  meanShare,
  SECONDS_IN_STRING,
  timedTextOf,
  type SegmentShape,
} from './foreign-segments.js';
import { Sentences } from './foreign-sentences.js';

const SEGMENT: SegmentShape = {
  start: 'start_time',
  end: 'end_time',
  text: 'transcript',
  unit: SECONDS_IN_STRING,
};
const WORD: SegmentShape = { ...SEGMENT, text: 'content' };

/** Output of Amazon Transcribe: `results.audio_segments`, else `results.items`, whose punctuation belongs to the word before. */
export const AWS_TRANSCRIBE: ForeignFormat<unknown> = {
  name: 'aws-transcribe',
  title: 'Amazon Transcribe',
  recognizes: (file) =>
    Array.isArray(memberAt(file, 'results', 'items')) ||
    Array.isArray(memberAt(file, 'results', 'audio_segments')),
  read: (file, draft) => {
    const items = itemsOf(memberAt(file, 'results', 'items'));
    const segments = itemsOf(memberAt(file, 'results', 'audio_segments'));
    if (segments.length > 0) readSegments(segments, items, draft);
    else readItems(items, speakersByStart(file), draft);
    return foreignLanguage(memberAt(file, 'results', 'language_code'));
  },
};

function readSegments(segments: readonly unknown[], items: readonly unknown[], draft: TranscriptDraft): void {
  const confidences = new Map(items.map((item) => [memberAt(item, 'id'), confidenceOf(item)]));
  for (const [index, segment] of segments.entries()) {
    const place = `results.audio_segments[${index}]`;
    if (!draft.hasRoom(index, place)) return;
    const said = timedTextOf(segment, place, SEGMENT, draft);
    if (!said) continue;
    const ids = itemsOf(memberAt(segment, 'items'));
    const confidence = meanShare(ids.map((id) => confidences.get(id))) ?? 1;
    draft.add({ ...said, speaker: speakerOf(segment), confidence }, () => place);
  }
}

function readItems(
  items: readonly unknown[],
  speakers: ReadonlyMap<unknown, string>,
  draft: TranscriptDraft,
): void {
  const sentences = new Sentences(draft);
  let last = { start: 0, end: 0, speaker: '' };
  for (const [index, item] of items.entries()) {
    const place = `results.items[${index}]`;
    const content = memberAt(itemsOf(memberAt(item, 'alternatives'))[0], 'content');
    if (memberAt(item, 'type') === 'punctuation') {
      if (typeof content !== 'string') draft.mistake(`${place}.alternatives[0].content`, 'must be text');
      else if (!sentences.add({ ...last, text: content, confidence: null, place, attached: true })) return;
      continue;
    }
    const [start_time, end_time] = [memberAt(item, 'start_time'), memberAt(item, 'end_time')];
    const said = timedTextOf({ start_time, end_time, content }, place, WORD, draft);
    if (!said) continue;
    const speaker = speakerOf(item) || (speakers.get(start_time) ?? '');
    last = { start: said.start, end: said.end, speaker };
    if (!sentences.add({ ...said, speaker, confidence: confidenceOf(item), place })) return;
  }
  sentences.end();
}

/** Older output gives the speakers of the items apart from them. */
function speakersByStart(file: unknown): Map<unknown, string> {
  const speakers = new Map<unknown, string>();
  for (const segment of itemsOf(memberAt(file, 'results', 'speaker_labels', 'segments'))) {
    for (const item of itemsOf(memberAt(segment, 'items'))) {
      speakers.set(memberAt(item, 'start_time'), speakerOf(item) || speakerOf(segment));
    }
  }
  return speakers;
}

/** Punctuation always has a confidence of 0. */
function confidenceOf(item: unknown): unknown {
  if (memberAt(item, 'type') === 'punctuation') return undefined;
  return memberAt(itemsOf(memberAt(item, 'alternatives'))[0], 'confidence');
}

function speakerOf(value: unknown): string {
  const label = memberAt(value, 'speaker_label') ?? memberAt(value, 'channel_label');
  return typeof label === 'string' ? label : '';
}
