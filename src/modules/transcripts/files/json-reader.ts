import type { TranscriptDraft } from './transcript-files-draft.js';
import { languageOf } from '../../../platform/language/language-codes.js';
import { FILE_LIMITS, type ReadTranscript } from './transcript-files.js';
import { JSON_FORMATS } from './foreign/foreign-formats.js';
import { jsonMistakeOf } from './json-syntax-reader.js';
import { membersOf } from './json-values.js';
import { TranscriptFileError } from './transcript-file.error.js';

/** Parses JSON. Malformed JSON is refused as a whole, because nothing after a missing bracket can be interpreted. */
export function readJson(text: string, draft: TranscriptDraft): ReadTranscript {
  const mistake = jsonMistakeOf(text);
  if (mistake) {
    throw new TranscriptFileError([{ ...mistake, reason: `not valid JSON, ${mistake.reason}` }]);
  }
  return readJsonValue(JSON.parse(text), draft);
}

/** Reads the value of a JSON file of any service. */
export function readJsonValue(value: unknown, draft: TranscriptDraft): ReadTranscript {
  const format = JSON_FORMATS.find(({ recognizes }) => recognizes(value));
  return format ? draft.done(format.name, format.read(value, draft)) : readTranscriptValue(value, draft);
}

/**
 * Reads `{ language?, segments: [{ start, end, text, speaker?, confidence? }] }`, also inside `{ data: ... }` or as the list
 * alone, and the output of Whisper. Unknown members are ignored.
 */
export function readTranscriptValue(value: unknown, draft: TranscriptDraft): ReadTranscript {
  const { language, languagePath, segments, path } = transcriptOf(value);
  const known = typeof language === 'string' ? languageOf(language) : null;
  if (known === null && language !== null && language !== undefined && language !== '') {
    draft.mistake(languagePath, 'must be a language code, such as en or pt-BR');
  }
  for (const [index, segment] of segments.entries()) {
    const place = `${path}[${index}]`;
    if (!draft.hasRoom(index, place)) break;
    readSegment(segment, place, draft);
  }
  return draft.done('json', known);
}

interface FoundTranscript {
  readonly language: unknown;
  readonly languagePath: string;
  readonly segments: readonly unknown[];
  readonly path: string;
}

/** Finds the segments: `segments` of the value or of its `data`, or the value itself. */
function transcriptOf(value: unknown): FoundTranscript {
  if (Array.isArray(value)) return { language: null, languagePath: '', segments: value, path: '' };
  const top = membersOf(value);
  const wrapped = top?.['segments'] === undefined ? membersOf(top?.['data']) : null;
  const within = wrapped ? 'data.' : '';
  const { language, segments } = wrapped ?? top ?? {};
  const path = `${within}segments`;
  if (Array.isArray(segments)) return { language, languagePath: `${within}language`, segments, path };
  throw new TranscriptFileError([{ place: path, reason: SEGMENTS }]);
}

const SEGMENTS = `must be a list of segments, unless the file is JSON of ${JSON_FORMATS.map(({ title }) => title).join(', ')}`;

function readSegment(value: unknown, path: string, draft: TranscriptDraft): void {
  const segment = membersOf(value);
  if (!segment) return draft.mistake(path, 'must be an object');
  const { start, end, text, speaker, confidence } = segment;
  const wrong = (member: string, reason: string) => draft.mistake(`${path}.${member}`, reason);
  if (!isTime(start)) return wrong('start', TIME);
  if (!isTime(end)) return wrong('end', TIME);
  if (end < start) return wrong('end', 'must not be before start');
  if (typeof text !== 'string') return wrong('text', 'must be text');
  if (!isAbsent(speaker) && typeof speaker !== 'string') return wrong('speaker', 'must be text');
  if (!isAbsent(confidence) && !isShare(confidence))
    return wrong('confidence', 'must be a number from 0 to 1');
  const sure = confidence ?? likelihoodOf(segment['avg_logprob']);
  draft.add({ start, end, text, speaker: speaker ?? '', confidence: sure }, (member) => `${path}.${member}`);
}

const TIME = `must be seconds, at least 0 and below ${FILE_LIMITS.time}`;

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < FILE_LIMITS.time;
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Whisper returns the mean log probability of its tokens. */
function likelihoodOf(logarithm: unknown): number {
  return typeof logarithm === 'number' ? Math.min(1, Math.exp(logarithm)) : 1;
}
