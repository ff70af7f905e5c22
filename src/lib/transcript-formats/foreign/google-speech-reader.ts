import { itemsOf, listAt, memberAt, membersOf, type FoundList } from '../json-values.js';
import type { TranscriptDraft, ReadableFormat } from '../transcript-draft.js';
import {
  channelLabel,
  foreignLanguage,
  shareOf,
  speakerLabel,
  timedTextOf,
  type SegmentShape,
  type TimeUnit,
} from './json-segments.js';
import { readWords } from './json-words.js';

/** A long-running operation has its results in its response. */
const LISTS = ['results', 'response.results'];
/** Those of one file in a batch. */
const BATCH = ['inlineResult.transcript.results', 'transcript.results'];
const SPEAKER = 'speakerLabel|speakerTag|speaker_label|speaker_tag';
const START = 'startTime|startOffset|start_time|start_offset';

/** Protocol buffers leave out what is 0. */
const DURATION: TimeUnit = (value) => {
  if (typeof value === 'number' || value === undefined) return value ?? 0;
  if (typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9})?s$/.test(value)) return Number(value.slice(0, -1));
  const { seconds = 0, nanos = 0 } = membersOf(value) ?? { seconds: Number.NaN };
  return Math.round((Number(seconds) + Number(nanos) / 1e9) * 1e6) / 1e6;
};

const WORD = {
  start: START,
  end: 'endTime|endOffset|end_time|end_offset',
  text: 'word',
  unit: DURATION,
} satisfies SegmentShape;
/** A result without words lasts from the end of the one before to its own. */
const RESULT = {
  start: 'before',
  end: 'resultEndTime|resultEndOffset|result_end_time|result_end_offset',
  text: 'alternatives.0.transcript',
  unit: (value: unknown) => (value === undefined ? Number.NaN : DURATION(value)),
} satisfies SegmentShape;

/** Results of Google Speech-to-Text, version 1 or 2, as JSON of the API or of a client library. */
export const GOOGLE_SPEECH: ReadableFormat<unknown> = {
  name: 'google-speech',
  title: 'Google Speech-to-Text',
  recognizes: (file) => resultsIn(file) !== null,
  read: (file, draft) => {
    const { path, items } = resultsIn(file)!;
    const isSeveral = new Set(items.map((result) => memberAt(result, 'channelTag'))).size > 1;
    const first = hasAllWords(items) ? items.length - 1 : 0;
    const ends = new Map<unknown, number>();
    for (const [index, result] of items.entries()) {
      if (index < first || !membersOf(memberAt(result, 'alternatives.0'))) continue;
      const channel = memberAt(result, 'channelTag');
      const speakerOf = (word: unknown): string =>
        channelLabel(speakerLabel(memberAt(word, SPEAKER) || ''), channel, isSeveral);
      const before = ends.get(channel) ?? 0;
      readResult({ ...membersOf(result), before }, `${path}[${index}]`, speakerOf, draft);
      ends.set(channel, Math.max(before, RESULT.unit(memberAt(result, RESULT.end)) || 0));
    }
    return foreignLanguage(items.map((result) => memberAt(result, 'languageCode')).find(Boolean));
  },
};

function readResult(
  result: unknown,
  place: string,
  speakerOf: (word: unknown) => string,
  draft: TranscriptDraft,
): void {
  const words = itemsOf(memberAt(result, 'alternatives.0.words'));
  const confidence = confidenceOf(memberAt(result, 'alternatives.0'));
  if (words.some((word) => memberAt(word, WORD.end) !== undefined)) {
    readWords(words, `${place}.alternatives[0].words`, WORD, draft, (word) => ({
      speaker: speakerOf(word),
      confidence: confidenceOf(word) ?? confidence,
    }));
  } else if (draft.hasRoom(place)) {
    const said = timedTextOf(result, place, RESULT, draft);
    if (said) draft.add({ ...said, speaker: speakerOf(null), confidence: confidence ?? 1 }, () => place);
  }
}

/** The results of one file; null if there are none. */
function resultsIn(file: unknown): FoundList | null {
  const found = listAt(file, LISTS, isResult);
  // IBM writes `transcript` too.
  if (found) return memberAt(file, 'result_index') === undefined ? found : null;
  for (const path of LISTS) {
    const files = Object.values(membersOf(memberAt(file, path)) ?? {});
    const inner = files.length === 1 ? listAt(files[0], BATCH, isResult) : null;
    if (inner) return { path: `${path}.*.${inner.path}`, items: inner.items };
  }
  return null;
}

const isResult = (item: unknown): boolean =>
  typeof memberAt(item, 'alternatives.0.transcript|alternatives.0.words.0.word') === 'string';

/** Version 1 repeats all words in the last result if it tells speakers apart. */
function hasAllWords(results: readonly unknown[]): boolean {
  const words = results.map((result) => memberAt(result, 'alternatives.0.words.0'));
  const [first, last] = [words.find(Boolean), words.at(-1)];
  const isLabelled = results.length > 1 && Boolean(memberAt(last, SPEAKER));
  return isLabelled && DURATION(memberAt(last, START)) <= DURATION(memberAt(first, START));
}

/** 0 means that it is not known. */
const confidenceOf = (value: unknown): number | undefined =>
  shareOf(memberAt(value, 'confidence')) || undefined;
