import { randomFrom, speech } from '../random-speech.js';

const REFERENCE_LENGTH = 25_000;
const REFERENCE_COUNT = 18_748;
/** 100,000 characters, the maximum of a summary. */
export const REFERENCES = `[a]: ${'b'.repeat(REFERENCE_LENGTH)}\n\n${'[a] '.repeat(REFERENCE_COUNT)}`;

const SPEAKERS = ['Ada', 'Grace', 'Edsger', 'Barbara'];
const SEGMENT_SECONDS = 6;
const SEGMENT_WORDS = 12;
const MOST_FILE_BYTES = 20 * 1024 * 1024;
const MOST_SEGMENT_CHARACTERS = 10_000;
/** Bytes of a cue in addition to its text. */
const CUE_BYTES = 60;

/** Draws the given number of words of random speech. */
export const words = (seed) => speech(randomFrom(seed));

/** Segments in the form of a workspace file or `PUT .../transcript`. */
export function segmentsOf(count, seed) {
  const draw = words(seed);
  return Array.from({ length: count }, (_, n) => ({
    start: n * SEGMENT_SECONDS,
    end: (n + 1) * SEGMENT_SECONDS,
    speaker: SPEAKERS[n % SPEAKERS.length],
    text: `${draw(SEGMENT_WORDS)}.`,
  }));
}

/** A WebVTT file with this many cues, of the maximum size. */
export function captions(count) {
  const length = Math.min(MOST_SEGMENT_CHARACTERS, Math.floor(MOST_FILE_BYTES / count) - CUE_BYTES);
  // Long enough that the text of each cue can start at another offset.
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
