import { AUTO, readLanguage } from '../language/language-codes.js';
import {
  likelihoodOf,
  meanShare,
  readSegments,
  SECONDS,
  type SegmentShape,
} from './foreign/json-segments.js';
import { itemsOf, listAt, memberAt, membersOf, type FoundList } from './json-values.js';
import type { TranscriptDraft, ReadableFormat } from './transcript-draft.js';

const SEGMENT: SegmentShape = { start: 'start', end: 'end', text: 'text', unit: SECONDS };
const PATHS = ['segments', 'data.segments', ''];

/**
 * `{ language?, segments: [{ start, end, text, speaker?, confidence? }] }`, also inside `{ data: ... }` or as the list
 * alone, and the output of Whisper and WhisperX. Unknown members are ignored.
 */
export const OWN_JSON: ReadableFormat<unknown> = {
  name: 'json',
  title: 'this API, Whisper, WhisperX',
  recognizes: (file) => segmentsIn(file) !== null,
  read: (file, draft) => {
    const { path, items } = segmentsIn(file) ?? {
      path: 'segments',
      items: itemsOf(memberAt(file, 'segments')),
    };
    const language = path === '' ? null : languageAt(file, path.replace(/segments$/, 'language'), draft);
    readSegments(items.map(withEnd), path, SEGMENT, draft, labelOf);
    return language;
  },
};

/** A list of something else is another format's, unless it is empty. */
function segmentsIn(file: unknown): FoundList | null {
  const found = listAt(file, PATHS, isSegment);
  if (found) return found;
  const path = PATHS.find((one) => {
    const list = one === '' ? file : memberAt(file, one);
    return Array.isArray(list) && list.length === 0;
  });
  return path === undefined ? null : { path, items: [] };
}

const isSegment = (item: unknown): boolean => {
  const members = membersOf(item) ?? {};
  return ['start', 'end', 'text'].filter((name) => name in members).length > 1;
};

/** youtube-transcript-api writes `duration` instead of `end`. */
function withEnd(segment: unknown): unknown {
  const { start, end, duration } = membersOf(segment) ?? {};
  if (end !== undefined || typeof start !== 'number' || typeof duration !== 'number') return segment;
  return { ...membersOf(segment), end: Math.round((start + duration) * 1000) / 1000 };
}

function languageAt(file: unknown, path: string, draft: TranscriptDraft): string | null {
  const given = memberAt(file, path);
  const known = typeof given === 'string' ? readLanguage(given) : null;
  if (known === null && !isAbsent(given) && given !== '') {
    draft.mistake(path, 'must be a language code, such as en or pt-BR');
  }
  return known === AUTO ? null : known;
}

function labelOf(segment: unknown, place: string, draft: TranscriptDraft) {
  const [speaker, confidence] = [memberAt(segment, 'speaker'), memberAt(segment, 'confidence')];
  if (!isAbsent(speaker) && typeof speaker !== 'string') {
    draft.mistake(`${place}.speaker`, 'must be text');
  } else if (!isAbsent(confidence) && !isShare(confidence)) {
    draft.mistake(`${place}.confidence`, 'must be a number from 0 to 1');
  } else {
    const scores = itemsOf(memberAt(segment, 'words')).map((word) => memberAt(word, 'score'));
    const estimate = likelihoodOf(memberAt(segment, 'avg_logprob')) ?? meanShare(scores);
    return { speaker: speaker ?? '', confidence: confidence ?? estimate };
  }
  return null;
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
