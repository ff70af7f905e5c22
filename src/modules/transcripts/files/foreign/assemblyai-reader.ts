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
/** Lists of what was said; the second and third are those of `/sentences` and `/paragraphs`. */
const LISTS = ['utterances', 'sentences', 'paragraphs'] as const;
/** Members that no other service writes. */
const MARKS = ['audio_url', 'audio_duration', 'acoustic_model', 'language_model', 'speech_model'];
/** Items whose times are looked at. */
const LOOKED_AT = 20;

/** Transcripts of AssemblyAI: `utterances`, `sentences` or `paragraphs`, else `words`; times in milliseconds. */
export const ASSEMBLYAI: ForeignFormat<unknown> = {
  name: 'assemblyai',
  title: 'AssemblyAI',
  recognizes: (file) => {
    const members = membersOf(file);
    if (!members || 'segments' in members) return false;
    const lists = [...LISTS, 'words'].filter((list) => list in members);
    if (lists.length > 0 && MARKS.some((mark) => mark in members)) return true;
    const items = lists.flatMap((list) => itemsOf(members[list]).slice(0, LOOKED_AT));
    // Others that write `words` give seconds.
    return items.length > 0 && items.every(isSaid);
  },
  read: (file, draft) => {
    const status = memberAt(file, 'status');
    const list = LISTS.find((one) => itemsOf(memberAt(file, one)).length > 0) ?? 'utterances';
    const utterances = itemsOf(memberAt(file, list));
    if (typeof status === 'string' && status !== 'completed') {
      draft.mistake('status', 'must be completed: this transcript is not');
    }
    for (const [index, utterance] of utterances.entries()) {
      const place = `${list}[${index}]`;
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

const isSaid = (item: unknown): boolean =>
  typeof memberAt(item, 'text') === 'string' &&
  ['start', 'end'].every((time) => Number.isInteger(memberAt(item, time)));
