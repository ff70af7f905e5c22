import { labelReader } from '../speaker-labels.js';
import { FILE_LIMITS } from '../transcript.js';
import { linesIn } from '../transcript-text.js';
import type { VoicePart } from './captions-markup.js';

/** A part of a cue with one voice; entities of voice and text are not decoded yet. */
export interface Spoken extends VoicePart {
  /** Of the timing line. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  /** Whether a word of the cue is highlighted. */
  readonly isMarked: boolean;
}

/** What is said, each thing once and with who says it, by the conventions that the captions as a whole follow. */
export function saidIn(spoken: readonly Spoken[]): readonly Spoken[] {
  const found = unstamped(spoken);
  const said = unrolled(found) ?? withoutHighlights(found);
  return spokenInBroadcast(said) ?? withLabels(said);
}

/** A time, which the cue has already. */
const STAMP = /^\[(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?\]\s+/;

/** Removes the time that the texts of at least half of the cues begin with, and the name in the voice tag behind it. */
function unstamped(spoken: readonly Spoken[]): readonly Spoken[] {
  const stamped = spoken.filter(({ text }) => STAMP.test(text)).length;
  if (stamped === 0 || stamped * 2 < spoken.length) return spoken;
  return spoken.map((part) => {
    const text = part.text.replace(STAMP, '');
    const label = `${part.voice}: `;
    return { ...part, text: text !== part.text && text.startsWith(label) ? text.slice(label.length) : text };
  });
}

/** Lines that a cue may repeat; captions on television have three. */
const REPEATED = 4;

/**
 * Each line once, with the times of the first cue that shows it; null unless each line appears in several cues, as in the
 * automatic captions of YouTube: at least seven of ten cues begin with what the previous one ended with, and at least
 * three of ten then go on with another line. People who repeat each other do not speak like that.
 */
function unrolled(spoken: readonly Spoken[]): Spoken[] | null {
  if (spoken.length < 3 || spoken.some(({ voice }) => voice !== null)) return null;
  let [repeating, continuing] = [0, 0];
  let before: readonly string[] = [];
  const once = spoken.flatMap((part) => {
    const lines = linesIn(part.text).flatMap((line) => line.trim() || []);
    const repeated = overlapOf(before, lines);
    before = lines;
    if (repeated > 0) repeating += 1;
    if (repeated > 0 && lines.length > repeated) continuing += 1;
    return lines.length > repeated ? [{ ...part, text: lines.slice(repeated).join('\n') }] : [];
  });
  const pairs = spoken.length - 1;
  return repeating * 10 >= pairs * 7 && continuing * 10 >= pairs * 3 ? once : null;
}

/** How many lines at the end of one text are those at the beginning of the next. */
function overlapOf(before: readonly string[], lines: readonly string[]): number {
  let count = Math.min(REPEATED, before.length, lines.length);
  while (count > 0 && !before.slice(-count).every((line, index) => line === lines[index])) count -= 1;
  return count;
}

/** Seconds between two cues that show the same sentence. */
const GAP = 0.1;

/**
 * Joins cues that show one text again and again, each time with another word highlighted, as WhisperX and Whisper write
 * them: what is said once is there once. Where no word is marked, somebody repeats a sentence.
 */
function withoutHighlights(spoken: readonly Spoken[]): readonly Spoken[] {
  const sentences: Spoken[] = [];
  for (const part of spoken) {
    const last = sentences.at(-1);
    const isMarked = part.isMarked || last?.isMarked === true;
    const isSame = isMarked && part.text === last?.text && part.voice === last.voice;
    if (isSame && Math.abs(part.start - last.end) <= GAP) {
      sentences[sentences.length - 1] = { ...last, end: Math.max(last.end, part.end), isMarked };
    } else sentences.push(part);
  }
  return sentences;
}

/** `>>` at the beginning of a line or after a sentence, also escaped: another speaks. `>>>` begins another story. */
const CHANGE = /(?<=^|[\r\n]|[.?!"'”’)\]-][ \t])[ \t]*(?:>>>?|&gt;&gt;(?:&gt;)?)(?!>|&gt;)[ \t]*/g;
const BEGINS = /^(?:>>>?|&gt;&gt;(?:&gt;)?)(?!>|&gt;)/;
/** `ALICE:` or `Dr. Alice Byron (Acme):`; each word begins with a capital letter, so that `I said this: no` is text. */
const NAME = /^((?:(?:\p{Lu}|\d|[(#&])[^\s:<>]{0,39}[ \t]+){0,5}(?:\p{Lu}|[(#])[^\s:<>]{0,39}):(?:\s+|$)/u;

/**
 * Reads captions as broadcasters write them: `>> ALICE: Hello` names the speaker, who keeps speaking until the next
 * `>>`, with which another one begins. Null if the file as a whole is not like that: at least one in twenty cues must
 * begin with `>>`, two of them or one with a name, and no cue may have a voice tag.
 */
function spokenInBroadcast(spoken: readonly Spoken[]): Spoken[] | null {
  const marked = spoken.filter(({ text }) => BEGINS.test(text));
  const isNamed = marked.some(({ text }) => NAME.test(text.replace(BEGINS, '').trimStart()));
  if (marked.length < (isNamed ? 1 : 2) || marked.length * 20 < spoken.length) return null;
  if (spoken.some(({ voice }) => voice !== null)) return null;
  let voice: string | null = null;
  const parts: Spoken[] = [];
  for (const part of spoken) {
    if (parts.length > FILE_LIMITS.segments) break;
    for (const [index, said] of part.text.split(CHANGE).entries()) {
      const name = index > 0 ? NAME.exec(said) : null;
      if (index > 0) voice = name?.[1] ?? null;
      const text = said.slice(name?.[0].length ?? 0).trim();
      if (text !== '') parts.push({ ...part, voice, text });
    }
  }
  return parts;
}

/** Reads labels as voices. If a voice tag names the speaker, a colon is text. */
function withLabels(spoken: readonly Spoken[]): readonly Spoken[] {
  const labelIn = labelReader(spoken.flatMap(({ voice, text }) => (voice === null ? [text] : [])));
  return spoken.map((part) => {
    const label = part.voice === null ? labelIn(part.text) : null;
    return label ? { ...part, voice: label.speaker, text: label.text } : part;
  });
}
