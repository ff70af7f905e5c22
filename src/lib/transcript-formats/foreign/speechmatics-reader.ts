import { listAt, memberAt } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { foreignLanguage, SECONDS, type SegmentShape } from './json-segments.js';
import { readWords } from './json-words.js';

const RESULT: SegmentShape = {
  start: 'start_time',
  end: 'end_time',
  text: 'alternatives.0.content',
  unit: SECONDS,
};

/** Transcripts of Speechmatics (`json-v2`): words and punctuation, which says to what it attaches. */
export const SPEECHMATICS: ReadableFormat<unknown> = {
  name: 'speechmatics',
  title: 'Speechmatics',
  recognizes: (file) => listAt(file, ['results'], isResult) !== null,
  read: (file, draft) => {
    const { path, items } = listAt(file, ['results'], isResult)!;
    let joinsNext = false;
    readWords(items, path, RESULT, draft, (item) => {
      // Such as a change of the speaker.
      if (memberAt(item, 'alternatives.0') === undefined) return null;
      const isMark = memberAt(item, 'type') === 'punctuation';
      const attaches = memberAt(item, 'attaches_to') ?? (isMark ? 'previous' : 'none');
      const attached = joinsNext || attaches === 'previous' || attaches === 'both';
      joinsNext = attaches === 'next' || attaches === 'both';
      const channel = memberAt(item, 'channel');
      const confidence = isMark ? undefined : memberAt(item, 'alternatives.0.confidence');
      return { speaker: speakerOf(item, channel), confidence, attached, channel };
    });
    const asked = memberAt(file, 'metadata.transcription_config.language');
    const heard = 'metadata.language_identification.predicted_language|results.0.alternatives.0.language';
    const language = asked === undefined || asked === 'auto' ? memberAt(file, heard) : asked;
    // Two languages, as in `ar_en`.
    return foreignLanguage(typeof language === 'string' ? language.split('_')[0] : null);
  },
};

const isResult = (item: unknown): boolean =>
  typeof memberAt(item, 'type') === 'string' && typeof memberAt(item, RESULT.text) === 'string';

/** `UU` is a speaker who is not known. */
function speakerOf(item: unknown, channel: unknown): string {
  const speaker = memberAt(item, 'alternatives.0.speaker');
  return [channel, speaker === 'UU' ? null : speaker].filter((name) => typeof name === 'string').join(', ');
}
