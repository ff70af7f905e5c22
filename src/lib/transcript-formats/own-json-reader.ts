import { AUTO, readLanguage } from '../language/language-codes.js';
import { confidenceOfWords, likelihoodOf, speakerLabel, itemsOf, memberAt } from './foreign/json-values.js';
import { ListReader, type LabelOf } from './foreign/json-reader.js';
import type { ShapedList } from './foreign/json-choice.js';
import type { TranscriptDraft } from './transcript-draft.js';

const SECONDS = { unit: 1, base: 0 };
const SHAPE = {
  start: [{ path: 'start', unit: null }],
  end: [{ path: 'end', unit: null }],
  duration: [{ path: 'duration', unit: null }],
  text: ['text'],
  speaker: ['speaker'],
  confidence: ['confidence'],
  channel: [],
  areWords: false,
};

/** Where this service, Whisper and WhisperX have their segments. */
export const OWN_PATHS = ['segments', 'data.segments', ''];

/**
 * Reads `{ language?, segments: [{ start, end, text, speaker?, confidence? }] }`, also inside `{ data: ... }` or as the
 * list alone, and the output of Whisper and WhisperX, with all its members checked. Returns the language.
 */
export function readOwnJson(
  file: unknown,
  draft: TranscriptDraft,
  path = 'segments',
  scale = SECONDS,
): string | null {
  const language = path === '' ? null : languageAt(file, path.replace(/segments$/, 'language'), draft);
  const items = itemsOf(path === '' ? file : memberAt(file, path));
  const list: ShapedList = { path, groups: [{ place: path, items, owner: null }], shape: SHAPE };
  const labelOf: LabelOf = (item, _said, _group, place) => labelAt(item, place, draft);
  new ListReader(list, { scale, labelOf, isStrict: true }, draft).run();
  return language;
}

function languageAt(file: unknown, path: string, draft: TranscriptDraft): string | null {
  const given = memberAt(file, path);
  const known = typeof given === 'string' ? readLanguage(given) : null;
  if (known === null && !isAbsent(given) && given !== '')
    draft.mistake(path, 'must be a language code, such as en or pt-BR');
  return known === AUTO ? null : known;
}

function labelAt(segment: unknown, place: string, draft: TranscriptDraft) {
  const [speaker, confidence] = [memberAt(segment, 'speaker'), memberAt(segment, 'confidence')];
  if (!isAbsent(speaker) && typeof speaker !== 'string' && typeof speaker !== 'number') {
    draft.mistake(`${place}.speaker`, 'must be text or a number');
  } else if (!isAbsent(confidence) && !isShare(confidence)) {
    draft.mistake(`${place}.confidence`, 'must be a number from 0 to 1');
  } else {
    const estimate =
      likelihoodOf(memberAt(segment, 'avg_logprob')) ??
      confidenceOfWords(itemsOf(memberAt(segment, 'words')));
    const name = typeof speaker === 'number' ? speakerLabel(speaker) : (speaker ?? '');
    return { speaker: name, confidence: confidence ?? estimate, channel: undefined };
  }
  return null;
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;
