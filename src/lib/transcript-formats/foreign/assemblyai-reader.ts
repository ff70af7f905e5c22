import { itemsOf, listAt, memberAt, membersOf } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import {
  foreignLanguage,
  meanShare,
  MILLISECONDS,
  readSegments,
  shareOf,
  speakerLabel,
  type SegmentShape,
} from './json-segments.js';
import { readWords } from './json-words.js';

const SAID: SegmentShape = { start: 'start', end: 'end', text: 'text', unit: MILLISECONDS };
/** Lists of what was said; the second and third are those of `/sentences` and `/paragraphs`. */
const LISTS = ['utterances', 'sentences', 'paragraphs'];
/** Members that no other service writes. */
const MARKS = ['audio_duration', 'acoustic_model', 'language_model', 'speech_model'];

/** Transcripts of AssemblyAI: `utterances`, `sentences` or `paragraphs`, else `words`; times in milliseconds. */
export const ASSEMBLYAI: ReadableFormat<unknown> = {
  name: 'assemblyai',
  title: 'AssemblyAI',
  recognizes: (file) => {
    const members = membersOf(file);
    if (!members || 'segments' in members) return false;
    const lists = [...LISTS, 'words'].filter((list) => list in members);
    return (
      (lists.length > 0 && MARKS.some((mark) => mark in members)) || listAt(file, lists, isSaid) !== null
    );
  },
  read: (file, draft) => {
    const status = memberAt(file, 'status');
    const list = LISTS.find((one) => itemsOf(memberAt(file, one)).length > 0);
    if (typeof status === 'string' && status !== 'completed') {
      draft.mistake('status', 'must be completed: this transcript is not');
    }
    if (list) {
      readSegments(itemsOf(memberAt(file, list)), list, SAID, draft, (utterance) => {
        const words = itemsOf(memberAt(utterance, 'words')).map((word) => memberAt(word, 'confidence'));
        const confidence = shareOf(memberAt(utterance, 'confidence')) ?? meanShare(words);
        return { speaker: speakerLabel(memberAt(utterance, 'speaker')), confidence };
      });
    } else {
      readWords(itemsOf(memberAt(file, 'words')), 'words', SAID, draft, (word) => ({
        speaker: speakerLabel(memberAt(word, 'speaker')),
        confidence: memberAt(word, 'confidence'),
      }));
    }
    return foreignLanguage(memberAt(file, 'language_code'));
  },
};

/** Others that write `words` give seconds. */
const isSaid = (item: unknown): boolean =>
  typeof memberAt(item, 'text') === 'string' &&
  memberAt(item, 'type') === undefined &&
  ['start', 'end'].every((time) => Number.isInteger(memberAt(item, time)));
