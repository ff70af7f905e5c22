import { itemsOf, listAt, memberAt, type FoundList } from '../json-values.js';
import type { TranscriptDraft, ReadableFormat } from '../transcript-draft.js';
import {
  foreignLanguage,
  likelihoodOf,
  readSegments,
  SECONDS,
  speakerLabel,
  type SegmentShape,
} from './json-segments.js';
import { readWords } from './json-words.js';

const WORD: SegmentShape = { start: 'start', end: 'end', text: 'text', unit: SECONDS };
const SEGMENT: SegmentShape = { start: 'start_time', end: 'end_time', text: 'text', unit: SECONDS };
/** The second is that of webhooks. */
const WORDS = ['words', 'data.transcription.words'];
const LANGUAGE = 'language_code|languageCode|transcripts.0.language_code|data.transcription.language_code';
const TYPES: ReadonlySet<unknown> = new Set(['word', 'spacing', 'audio_event']);

/** Transcripts of ElevenLabs: words, one list for each channel, or its `segmented_json`. */
export const ELEVENLABS: ReadableFormat<unknown> = {
  name: 'elevenlabs',
  title: 'ElevenLabs',
  recognizes: (file) => partsOf(file).length > 0 || listAt(file, ['segments'], isSegment) !== null,
  read: (file, draft) => {
    const segments = listAt(file, ['segments'], isSegment);
    if (segments) {
      readSegments(segments.items, segments.path, SEGMENT, draft, (segment) => ({
        speaker: speakerLabel(memberAt(segment, 'speaker.name|speaker.id')),
        confidence: undefined,
      }));
    }
    const parts = segments ? [] : partsOf(file);
    for (const [index, part] of parts.entries()) {
      readPart(part, parts.length > 1 ? `Channel ${index}` : '', draft);
    }
    return foreignLanguage(memberAt(file, LANGUAGE));
  },
};

function readPart({ path, items }: FoundList, channel: string, draft: TranscriptDraft): void {
  const isSpaced = items.some(isSpacing);
  let space = true;
  readWords(items, path, WORD, draft, (word) => {
    const attached = isSpaced && !space;
    space = isSpacing(word);
    if (space) return null;
    const speaker = speakerLabel(memberAt(word, 'speaker_id|speakerId')) || channel;
    return { speaker, confidence: likelihoodOf(memberAt(word, 'logprob')), attached };
  });
}

function partsOf(file: unknown): FoundList[] {
  const one = listAt(file, WORDS, isWord);
  if (one) return [one];
  const parts = itemsOf(memberAt(file, 'transcripts')).map((transcript, index) => ({
    path: `transcripts[${index}].words`,
    items: itemsOf(memberAt(transcript, 'words')),
  }));
  return parts.some(({ items }) => items.some(isWord)) ? parts : [];
}

const isWord = (item: unknown): boolean => TYPES.has(memberAt(item, 'type'));
const isSpacing = (item: unknown): boolean => memberAt(item, 'type') === 'spacing';
const isSegment = (item: unknown): boolean =>
  typeof memberAt(item, 'start_time') === 'number' && typeof memberAt(item, 'text') === 'string';
