import type { Scored } from './extractive-scores.js';
import type { Sentence } from './sentences.js';

/** The parts of the Markdown, in chronological order. */
export interface ContentParts {
  readonly overview: readonly Scored[];
  readonly decisions: readonly Scored[];
}

interface Labels {
  readonly decisions: string;
  readonly nothing: string;
}

const LONGEST_NAME = 80;
const ENGLISH: Labels = {
  decisions: 'Decisions and next steps',
  nothing: 'Nothing was said that could be summarized.',
};
const LABELS: Readonly<Record<string, Labels>> = {
  de: {
    decisions: 'Entscheidungen und nächste Schritte',
    nothing: 'Es wurde nichts gesagt, das sich zusammenfassen ließe.',
  },
};

/** The summary as Markdown: the most central sentences and the decisions. The topics stand beside it. */
export function contentOf({ overview, decisions }: ContentParts, language: string | null): string {
  const labels = LABELS[language?.toLowerCase().split('-')[0] ?? ''] ?? ENGLISH;
  if (overview.length === 0) return labels.nothing;
  const parts = [overview.map(({ sentence }) => quoted(sentence)).join(' ')];
  if (decisions.length > 0) {
    parts.push(
      `## ${labels.decisions}\n\n${decisions.map(({ sentence }) => `- ${quoted(sentence)}`).join('\n')}`,
    );
  }
  return parts.join('\n\n');
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
