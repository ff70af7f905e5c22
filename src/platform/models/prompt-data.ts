import { clockTime } from '../../lib/clock-time.js';

interface Spoken {
  readonly id: number;
  readonly start: number;
  readonly speaker: string;
  readonly text: string;
}

/** One numbered line per segment, under the name of its speaker; `…` where segments are omitted. */
export function spokenLines(segments: readonly Spoken[]): string {
  return segments
    .flatMap(({ id, start, speaker, text }, index) => {
      const line = `[${id}] ${inert(text)}`;
      const before = segments[index - 1];
      const gap = before && id !== before.id + 1;
      if (before && !gap && before.speaker === speaker) return [line];
      return [...(gap ? ['…'] : []), `${inert(speaker) || 'Unknown speaker'}, ${clockTime(start)}:`, line];
    })
    .join('\n');
}

/** Text on one line that cannot contain tags, so that `</transcript>` in the data does not end it. */
export function inert(text: string): string {
  return text.replace(/\s+/gu, ' ').replaceAll('<', '‹').replaceAll('>', '›').trim();
}
