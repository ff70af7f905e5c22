import { decodeHTMLStrict } from 'entities';
import { withoutJoiners } from './captions-joiners.js';
import { voicePartsOf } from './captions-markup.js';
import { placeOf, readCues, type CaptionFormat } from './captions-reader.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';
import { type ReadTranscript } from '../transcript-files.js';
import { TranscriptFileError } from '../transcript-file.error.js';

/** Overrides such as `{\an8}`, which position and style a cue. */
const OVERRIDES = /\{\\[^{}]*\}/g;

const SRT: CaptionFormat = {
  partsOf: (markup) => voicePartsOf(markup.replace(OVERRIDES, '')),
  textOf: (escaped) => withoutJoiners(decodeHTMLStrict(escaped)),
  skips: () => false,
};

/** Reads SRT. SRT has no signature, so a file without any cue is refused. */
export function readSrt(text: string, draft: TranscriptDraft): ReadTranscript {
  const count = readCues(text, { at: 0, line: 1 }, SRT, draft);
  const read = draft.done('srt', null);
  if (count > 0) return read;
  throw new TranscriptFileError([{ place: placeOf(1), reason: 'is in no known format: it has no cue' }]);
}
