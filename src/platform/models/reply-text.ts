import { shortened } from '../../lib/text.js';

/** Control characters, unpaired surrogates, and bidirectional formatting characters. */
const UNWANTED = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A model's output as one line of at most `max` characters, safe to store and display. */
export function replyText(text: string, max: number): string {
  return shortened(text.replace(/\s+/gu, ' ').replace(UNWANTED, '').trim(), max);
}
