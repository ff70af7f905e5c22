import { randomFrom, speech } from '../random-speech.js';

const REFERENCE_LENGTH = 25_000;
const REFERENCE_COUNT = 18_748;
/** 100,000 characters, the maximum of a summary. */
export const REFERENCES = `[a]: ${'b'.repeat(REFERENCE_LENGTH)}\n\n${'[a] '.repeat(REFERENCE_COUNT)}`;

const SPEAKERS = ['Ada', 'Grace', 'Edsger', 'Barbara'];
const SEGMENT_SECONDS = 6;
const SEGMENT_WORDS = 12;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_SEGMENT_CHARACTERS = 10_000;
/** Bytes of a cue without its text. */
const CUE_BYTES = 60;

/** A function that draws random speech of a given number of words. */
export const words = (seed) => speech(randomFrom(seed));

/** Segments as accepted in a workspace file or by `PUT .../transcript`. */
export function segmentsOf(count, seed) {
  const draw = words(seed);
  return Array.from({ length: count }, (_, n) => ({
    start: n * SEGMENT_SECONDS,
    end: (n + 1) * SEGMENT_SECONDS,
    speaker: SPEAKERS[n % SPEAKERS.length],
    text: `${draw(SEGMENT_WORDS)}.`,
  }));
}

/** A WebVTT file with this many cues and close to the maximum size. */
export function captions(count) {
  const length = Math.min(MAX_SEGMENT_CHARACTERS, Math.floor(MAX_FILE_BYTES / count) - CUE_BYTES);
  // Long enough to cut the text of each cue from a different position.
  const text = words(3)(40_000);
  const cues = Array.from({ length: count }, (_, n) => {
    const from = (n * 97) % (text.length - length);
    const times = `${clock(n * SEGMENT_SECONDS)} --> ${clock((n + 1) * SEGMENT_SECONDS)}`;
    return `${times}\n<v ${SPEAKERS[n % SPEAKERS.length]}>${text.slice(from, from + length)}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

const twoDigits = (value) => String(value).padStart(2, '0');

function clock(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${[hours, minutes, seconds % 60].map(twoDigits).join(':')}.000`;
}
