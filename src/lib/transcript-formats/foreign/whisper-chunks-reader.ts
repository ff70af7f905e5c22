import { listAt, memberAt } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { foreignLanguage, readSegments, SECONDS, speakerLabel, type SegmentShape } from './json-segments.js';
import { readWords } from './json-words.js';

const CHUNK: SegmentShape = { start: 'timestamp.0', end: 'timestamp.1', text: 'text', unit: SECONDS };
/** `speakers` is that of insanely-fast-whisper. */
const LISTS = ['speakers', 'chunks', ''];

/** Output of Whisper by Transformers and Transformers.js: chunks with `timestamp: [0, 2.5]`, of sentences or words. */
export const WHISPER_CHUNKS: ReadableFormat<unknown> = {
  name: 'whisper-chunks',
  title: 'Hugging Face',
  recognizes: (file) => listAt(file, LISTS, isChunk) !== null,
  read: (file, draft) => {
    const { path, items } = listAt(file, LISTS, isChunk)!;
    if (items.every(isWord)) {
      const isSpaced = items.some(hasSpace);
      readWords(items, path, CHUNK, draft, (chunk) => ({
        speaker: speakerOf(chunk),
        confidence: null,
        attached: isSpaced && !hasSpace(chunk),
      }));
    } else {
      const labelOf = (chunk: unknown) => ({ speaker: speakerOf(chunk), confidence: undefined });
      readSegments(items, path, CHUNK, draft, labelOf);
    }
    return foreignLanguage(memberAt(file, 'language'));
  },
};

const speakerOf = (chunk: unknown): string => speakerLabel(memberAt(chunk, 'speaker'));
const isChunk = (item: unknown): boolean => Array.isArray(memberAt(item, 'timestamp'));

/** Words begin with their space. */
const hasSpace = (item: unknown): boolean => /^\s/.test(String(memberAt(item, 'text')));
const isWord = (item: unknown): boolean => /^\s?\S+$/.test(String(memberAt(item, 'text')));
