import { clockTime } from '../../lib/clock-time.js';
import { shortened } from '../../lib/text.js';
import type { SpokenSegment } from '../../lib/transcript-formats/transcript.js';

type Spoken = Pick<SpokenSegment, 'id' | 'start' | 'speaker' | 'text'>;

/** One numbered line per segment, under the name of its speaker; `…` where segments are omitted. */
export const spokenLines = (segments: readonly Spoken[]): string =>
  segments
    .flatMap(({ id, start, speaker, text }, index) => {
      const line = `[${id}] ${inert(text)}`;
      const before = segments[index - 1];
      const gap = before && id !== before.id + 1;
      if (before && !gap && before.speaker === speaker) return [line];
      return [...(gap ? ['…'] : []), `${inert(speaker) || 'Unknown speaker'}, ${clockTime(start)}:`, line];
    })
    .join('\n');

/** Text on one line that cannot contain tags, so that `</transcript>` in the data does not end it. */
export const inert = (text: string): string =>
  text.replace(/\s+/gu, ' ').replaceAll('<', '‹').replaceAll('>', '›').trim();

/** Control characters, unpaired surrogates, and bidirectional formatting characters. */
const UNWANTED = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A model's output as one line of at most `max` characters, safe to store and display. */
export const replyText = (text: string, max: number): string =>
  shortened(text.replace(/\s+/gu, ' ').replace(UNWANTED, '').trim(), max);
