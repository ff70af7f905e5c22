import { itemsOf, memberAt } from '../json-values.js';
import type { TranscriptDraft, ReadableFormat } from '../transcript-draft.js';
import {
  channelLabel,
  foreignLanguage,
  meanShare,
  readSegments,
  SECONDS,
  shareOf,
  speakerLabel,
  type SegmentShape,
} from './json-segments.js';
import { readWords } from './json-words.js';

const UTTERANCE: SegmentShape = { start: 'start', end: 'end', text: 'transcript', unit: SECONDS };
const SENTENCE: SegmentShape = { ...UTTERANCE, text: 'text' };

/** Replies of Deepgram: `results.utterances`, else the paragraphs of each channel, else its words. */
export const DEEPGRAM: ReadableFormat<unknown> = {
  name: 'deepgram',
  title: 'Deepgram',
  recognizes: (file) =>
    Array.isArray(memberAt(file, 'results.channels')) || Array.isArray(memberAt(file, 'results.utterances')),
  read: (file, draft) => {
    const channels = itemsOf(memberAt(file, 'results.channels'));
    const utterances = itemsOf(memberAt(file, 'results.utterances'));
    const nameOf = (item: unknown, channel: unknown): string =>
      channelLabel(speakerLabel(memberAt(item, 'speaker')), channel, channels.length > 1);
    readSegments(utterances, 'results.utterances', UTTERANCE, draft, (utterance) => ({
      speaker: nameOf(utterance, memberAt(utterance, 'channel') ?? 0),
      confidence: shareOf(memberAt(utterance, 'confidence')),
    }));
    for (const [index, channel] of utterances.length > 0 ? [] : channels.entries()) {
      const path = `results.channels[${index}].alternatives[0]`;
      const best = memberAt(channel, 'alternatives.0');
      if (itemsOf(memberAt(best, 'paragraphs.paragraphs')).length > 0) {
        readParagraphs(best, path, (item) => nameOf(item, index), draft);
      } else readChannelWords(best, path, (item) => nameOf(item, index), draft);
    }
    return foreignLanguage(
      memberAt(channels[0], 'detected_language') ?? memberAt(channels[0], 'alternatives.0.languages.0'),
    );
  },
};

/** Sentences have no confidence: it is that of the words that begin in them. */
function readParagraphs(
  alternative: unknown,
  path: string,
  nameOf: (item: unknown) => string,
  draft: TranscriptDraft,
): void {
  const words = itemsOf(memberAt(alternative, 'words'));
  let next = 0;
  for (const [index, paragraph] of itemsOf(memberAt(alternative, 'paragraphs.paragraphs')).entries()) {
    const within = `${path}.paragraphs.paragraphs[${index}].sentences`;
    const sentences = itemsOf(memberAt(paragraph, 'sentences'));
    readSegments(sentences, within, SENTENCE, draft, (_sentence, _place, _draft, { end }) => {
      const first = next;
      const isWithin = (word: unknown): boolean => !(SECONDS(memberAt(word, 'start')) >= (end ?? Infinity));
      while (next < words.length && isWithin(words[next])) next += 1;
      const said = words.slice(first, next).map((word) => memberAt(word, 'confidence'));
      return { speaker: nameOf(paragraph), confidence: meanShare(said) };
    });
  }
}

function readChannelWords(
  alternative: unknown,
  path: string,
  nameOf: (item: unknown) => string,
  draft: TranscriptDraft,
): void {
  const words = itemsOf(memberAt(alternative, 'words'));
  const text = words.some((word) => memberAt(word, 'punctuated_word') === undefined)
    ? 'word'
    : 'punctuated_word';
  readWords(words, `${path}.words`, { ...SENTENCE, text }, draft, (word) => ({
    speaker: nameOf(word),
    confidence: memberAt(word, 'confidence'),
  }));
}
