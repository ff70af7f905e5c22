import { clockTime } from '../clock-time.js';

interface Spoken {
  readonly id: number;
  readonly start: number;
  readonly speaker: string;
  readonly text: string;
}

/** A line per segment, its number before it, under the name of whoever speaks; `…` where segments are left out. */
export function spokenLines(segments: readonly Spoken[], numbered = true): string {
  return segments
    .flatMap(({ id, start, speaker, text }, index) => {
      const line = numbered ? `[${id}] ${inert(text)}` : inert(text);
      const before = segments[index - 1];
      const gap = before && id !== before.id + 1;
      if (before && !gap && before.speaker === speaker) return [line];
      return [...(gap ? ['…'] : []), `${inert(speaker) || 'Unknown speaker'}, ${clockTime(start)}:`, line];
    })
    .join('\n');
}

/** Data on one line that cannot be taken for the end of the data: marks like `</transcript>` do not stand in it. */
export function inert(text: string): string {
  return text.replace(/\s+/gu, ' ').replaceAll('<', '‹').replaceAll('>', '›').trim();
}
