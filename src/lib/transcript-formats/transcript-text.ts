import { FILE_LIMITS } from './transcript.js';

/**
 * Normalizes a text to what every writer can write: lines end in `\n`, none is blank, and the text is trimmed.
 */
export function normalizeText(text: string): string {
  if (!/[\r\n]/.test(text)) return text.trim();
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .join('\n')
    .trim();
}

/** Makes text storable: NUL characters and lone surrogates become U+FFFD. */
export function repaired(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** The first lines of a text, by which its format is recognized. */
export function headOf(text: string): string {
  return text.slice(0, 64 * 1024);
}

/** Characters that are spoken in a second: about 150 words a minute. */
const SPEED = 15;

/** How long it takes to say a text, in seconds; at least one. */
export function secondsToSay(text: string): number {
  return Math.max(1, Math.round((Math.min(text.length, FILE_LIMITS.markup) / SPEED) * 1000) / 1000);
}

/** A text on one line, with single spaces, as speaker labels are. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
