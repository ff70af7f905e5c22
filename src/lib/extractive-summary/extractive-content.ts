import { clockTime } from '../clock-time.js';

const LONGEST_NAME = 80;
/** What the summary of a recording says in which nobody speaks, in every language, as its own is not known. */
export const NO_SPEECH = 'No speech was found in the recording.';
/** What it says if nothing can be taken from the meeting, in languages without a voice. */
export const NOTHING = 'Nothing was said that could be summarized.';

/** `Ada (12:34): "…"`, or without a speaker `12:34: "…"`. */
export function quote(speaker: string, start: number, text: string): string {
  const [name, time] = [nameOf(speaker), clockTime(start)];
  return `${name === '' ? time : `${name} (${time})`}: "${text}"`;
}

/** `Ada: text`, or without a speaker the text. */
export const attributed = (speaker: string, text: string): string =>
  nameOf(speaker) === '' ? text : `${nameOf(speaker)}: ${text}`;

/** The label of a speaker on one line; empty if there is none. */
export const nameOf = (speaker: string): string =>
  speaker.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME).toWellFormed();

/** Escapes text within a line for Markdown: no markup, no HTML, no automatic links. */
export const escaped = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~&]|:(?=\/\/)|(?<=\bwww)\./giu, '\\$&');

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
