import { itemsOf, memberAt } from '../json-values.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';
import type { ForeignFormat } from './foreign-format.js';
import {
  foreignLanguage,
  meanShare,
  SECONDS,
  shareOf,
  speakerLabel,
  timedTextOf,
  type SegmentShape,
} from './foreign-segments.js';
import { Sentences } from './foreign-sentences.js';

const UTTERANCE: SegmentShape = { start: 'start', end: 'end', text: 'transcript', unit: SECONDS };
const SENTENCE: SegmentShape = { start: 'start', end: 'end', text: 'text', unit: SECONDS };

/**
 * Replies of Deepgram: `results.utterances`, else the paragraphs of each channel, else its words. With several channels,
 * labels begin with the channel.
 */
export const DEEPGRAM: ForeignFormat<unknown> = {
  name: 'deepgram',
  title: 'Deepgram',
  recognizes: (file) =>
    Array.isArray(memberAt(file, 'results', 'channels')) ||
    Array.isArray(memberAt(file, 'results', 'utterances')),
  read: (file, draft) => {
    const channels = itemsOf(memberAt(file, 'results', 'channels'));
    const utterances = itemsOf(memberAt(file, 'results', 'utterances'));
    const nameOf = (speaker: unknown, channel: unknown): string => {
      const label = speakerLabel(speaker);
      if (channels.length < 2) return label;
      return label === '' ? `Channel ${String(channel)}` : `Channel ${String(channel)}, ${label}`;
    };
    if (utterances.length > 0) readUtterances(utterances, nameOf, draft);
    else {
      let count = 0;
      for (const [index, channel] of channels.entries()) {
        const path = `results.channels[${index}].alternatives[0]`;
        const best = itemsOf(memberAt(channel, 'alternatives'))[0];
        const paragraphs = itemsOf(memberAt(best, 'paragraphs', 'paragraphs'));
        const name = (speaker: unknown): string => nameOf(speaker, index);
        if (paragraphs.length > 0) count = readParagraphs(best, path, name, draft, count);
        else readWords(itemsOf(memberAt(best, 'words')), `${path}.words`, name, draft);
      }
    }
    return foreignLanguage(
      memberAt(channels[0], 'detected_language') ??
        memberAt(itemsOf(memberAt(channels[0], 'alternatives'))[0], 'languages', '0'),
    );
  },
};

function readUtterances(
  utterances: readonly unknown[],
  nameOf: (speaker: unknown, channel: unknown) => string,
  draft: TranscriptDraft,
): void {
  for (const [index, utterance] of utterances.entries()) {
    const place = `results.utterances[${index}]`;
    if (!draft.hasRoom(index, place)) return;
    const said = timedTextOf(utterance, place, UTTERANCE, draft);
    if (!said) continue;
    const speaker = nameOf(memberAt(utterance, 'speaker'), memberAt(utterance, 'channel') ?? 0);
    const confidence = shareOf(memberAt(utterance, 'confidence')) ?? 1;
    draft.add({ ...said, speaker, confidence }, () => place);
  }
}

/** Sentences have no confidence: it is that of the words that begin in them. */
function readParagraphs(
  alternative: unknown,
  path: string,
  nameOf: (speaker: unknown) => string,
  draft: TranscriptDraft,
  count: number,
): number {
  const words = itemsOf(memberAt(alternative, 'words'));
  let next = 0;
  for (const [index, paragraph] of itemsOf(memberAt(alternative, 'paragraphs', 'paragraphs')).entries()) {
    const speaker = nameOf(memberAt(paragraph, 'speaker'));
    for (const [number, sentence] of itemsOf(memberAt(paragraph, 'sentences')).entries()) {
      const place = `${path}.paragraphs.paragraphs[${index}].sentences[${number}]`;
      if (!draft.hasRoom(count, place)) return count;
      count += 1;
      const said = timedTextOf(sentence, place, SENTENCE, draft);
      if (!said) continue;
      const first = next;
      while (next < words.length && !(SECONDS(memberAt(words[next], 'start')) >= said.end)) next += 1;
      const confidence = meanShare(words.slice(first, next).map((word) => memberAt(word, 'confidence'))) ?? 1;
      draft.add({ ...said, speaker, confidence }, () => place);
    }
  }
  return count;
}

function readWords(
  words: readonly unknown[],
  path: string,
  nameOf: (speaker: unknown) => string,
  draft: TranscriptDraft,
): void {
  const sentences = new Sentences(draft);
  for (const [index, word] of words.entries()) {
    const place = `${path}[${index}]`;
    const text = memberAt(word, 'punctuated_word') === undefined ? 'word' : 'punctuated_word';
    const said = timedTextOf(word, place, { ...SENTENCE, text }, draft);
    if (!said) continue;
    const speaker = nameOf(memberAt(word, 'speaker'));
    if (!sentences.add({ ...said, speaker, confidence: memberAt(word, 'confidence'), place })) return;
  }
  sentences.end();
}
