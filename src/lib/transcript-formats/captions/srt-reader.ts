import { decodeHTMLStrict } from 'entities';
import type { TextFormat, TranscriptDraft } from '../transcript-draft.js';
import { withoutJoiners } from '../transcript-text.js';
import { voicePartsOf, type VoicePart } from './captions-markup.js';
import { CaptionsReader } from './captions-reader.js';
import { timingLinesIn } from './captions-times.js';

/** Overrides such as `{\an8}`, which position and style a cue. */
const OVERRIDES = /\{\\[^{}]*\}/g;

class SrtReader extends CaptionsReader {
  protected partsOf(markup: string): VoicePart[] {
    return voicePartsOf(markup.replace(OVERRIDES, ''));
  }

  protected textOf(escaped: string): string {
    return withoutJoiners(decodeHTMLStrict(escaped));
  }
}

class SbvReader extends SrtReader {
  protected override partsOf(markup: string): VoicePart[] {
    return super.partsOf(markup.replaceAll('[br]', '\n'));
  }
}

/** Captions do not say their language. */
export function readSrt(text: string, draft: TranscriptDraft): null {
  new SrtReader(text, draft).read();
  return null;
}

export const SRT: TextFormat = {
  name: 'srt',
  title: 'SRT',
  match: (text) => {
    const { count, padded, unpadded } = timingLinesIn(text);
    // Number, times, text and a blank line: what looks like another format within them is what somebody said.
    return count === 0 || unpadded > padded
      ? null
      : { points: 4 * count, read: (draft) => readSrt(text, draft) };
  },
};

const TIME = String.raw`\d{1,3}:\d{2}:\d{2}\.\d{1,3}`;
const SBV_TIMES = new RegExp(`^(${TIME}),(${TIME})[ \\t]*$`, 'gm');

/** SBV, which YouTube writes: like SRT, but with a comma between the times, and without numbers. */
export const SBV: TextFormat = {
  name: 'sbv',
  title: 'YouTube (SBV)',
  match: (text) => {
    const count = text.match(SBV_TIMES)?.length ?? 0;
    if (count === 0) return null;
    const read = (draft: TranscriptDraft): null => {
      new SbvReader(text.replace(SBV_TIMES, '$1 --> $2'), draft).read();
      return null;
    };
    return { points: 4 * count, read };
  },
};
