import { itemsOf, memberAt, membersOf } from '../json-values.js';
import type { ForeignFormat } from './foreign-format.js';
import {
  foreignLanguage,
  meanShare,
  MILLISECONDS,
  shareOf,
  speakerLabel,
  timedTextOf,
  type SegmentShape,
} from './foreign-segments.js';
import { Sentences } from './foreign-sentences.js';

const SAID: SegmentShape = { start: 'start', end: 'end', text: 'text', unit: MILLISECONDS };
/** Members of every transcript of AssemblyAI, which distinguish it from files whose times are seconds. */
const MARKS = [
  'audio_url',
  'audio_duration',
  'acoustic_model',
  'language_model',
  'language_code',
  'speech_model',
];

/** Transcripts of AssemblyAI: `utterances`, else `words`; times in milliseconds. */
export const ASSEMBLYAI: ForeignFormat<unknown> = {
  name: 'assemblyai',
  title: 'AssemblyAI',
  recognizes: (file) => {
    const members = membersOf(file);
    if (!members || 'segments' in members || !('words' in members || 'utterances' in members)) return false;
    return MARKS.some((mark) => mark in members);
  },
  read: (file, draft) => {
    const status = memberAt(file, 'status');
    const utterances = itemsOf(memberAt(file, 'utterances'));
    if (typeof status === 'string' && status !== 'completed') {
      draft.mistake('status', 'must be completed: this transcript is not');
    }
    for (const [index, utterance] of utterances.entries()) {
      const place = `utterances[${index}]`;
      if (!draft.hasRoom(index, place)) break;
      const said = timedTextOf(utterance, place, SAID, draft);
      if (!said) continue;
      const words = itemsOf(memberAt(utterance, 'words')).map((word) => memberAt(word, 'confidence'));
      const confidence = shareOf(memberAt(utterance, 'confidence')) ?? meanShare(words) ?? 1;
      draft.add({ ...said, speaker: speakerLabel(memberAt(utterance, 'speaker')), confidence }, () => place);
    }
    const sentences = new Sentences(draft);
    for (const [index, word] of utterances.length > 0 ? [] : itemsOf(memberAt(file, 'words')).entries()) {
      const place = `words[${index}]`;
      const said = timedTextOf(word, place, SAID, draft);
      if (!said) continue;
      const speaker = speakerLabel(memberAt(word, 'speaker'));
      if (!sentences.add({ ...said, speaker, confidence: memberAt(word, 'confidence'), place })) break;
    }
    sentences.end();
    return foreignLanguage(memberAt(file, 'language_code'));
  },
};
