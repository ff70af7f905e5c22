import { codePointLength } from '../text.js';

/** Control characters, halves of surrogate pairs, and marks that turn the direction of what follows. */
const UNWANTED = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line of what a model wrote, of at most `most` characters, fit for the database and for display. */
export function replyText(text: string, most: number): string {
  return shortened(text.replace(/\s+/gu, ' ').replace(UNWANTED, '').trim(), most);
}

function shortened(text: string, most: number): string {
  if (text.length <= most || codePointLength(text) <= most) return text;
  const kept = Array.from(text.slice(0, most * 2)).slice(0, most - 1);
  return `${kept.join('').trimEnd()}…`;
}
