import type { Scored } from './extractive-scores.js';
import type { Sentence } from './sentences.js';

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
  return overview.map(({ sentence }) => quoted(sentence)).join(' ');
}

function quoted({ speaker, start, text }: Sentence): string {
  return escaped(quote(speaker, start, text));
}

/** `Ada (12:34): "…"`, or without a speaker `12:34: "…"`. */
export function quote(speaker: string, start: number, text: string): string {
  const name = speaker.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME).toWellFormed();
  return `${name === '' ? clock(start) : `${name} (${clock(start)})`}: "${text}"`;
}

/** `1:02:03`, or `2:03` within the first hour. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Escapes text within a line for Markdown: no markup, no HTML, no automatic links. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~&]|:(?=\/\/)|(?<=\bwww)\./giu, '\\$&');
}
