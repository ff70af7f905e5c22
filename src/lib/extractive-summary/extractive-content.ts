import { clockTime } from '../clock-time.js';
import type { Scored } from './extractive-scores.js';

const LONGEST_NAME = 80;
/** What the summary of a recording says in which nobody speaks, in every language, as its own is not known. */
export const NO_SPEECH = 'No speech was found in the recording.';
const NOTHING = 'Nothing was said that could be summarized.';
const NOTHING_IN: Readonly<Record<string, string>> = {
  de: 'Es wurde nichts gesagt, das sich zusammenfassen ließe.',
};

/** The overview as Markdown: sentences in chronological order, each with who said it when. */
export function contentOf(overview: readonly Scored[], language: string | null): string {
  if (overview.length === 0) return NOTHING_IN[language?.toLowerCase().split('-')[0] ?? ''] ?? NOTHING;
  return overview
    .map(({ sentence: { speaker, start, text } }) => escaped(quote(speaker, start, text)))
    .join(' ');
}

/** `Ada (12:34): "…"`, or without a speaker `12:34: "…"`. */
export function quote(speaker: string, start: number, text: string): string {
  const name = speaker.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME).toWellFormed();
  const time = clockTime(start);
  return `${name === '' ? time : `${name} (${time})`}: "${text}"`;
}

/** Escapes text within a line for Markdown: no markup, no HTML, no automatic links. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~&]|:(?=\/\/)|(?<=\bwww)\./giu, '\\$&');
}
