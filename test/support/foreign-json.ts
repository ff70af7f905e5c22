import { readTranscriptText } from '../../src/lib/transcript-formats/transcript-formats.js';

/** The transcript in a value that is sent as JSON. */
export const read = (value: unknown) => readTranscriptText(Buffer.from(JSON.stringify(value)));

/** Its segments as a row each: start, end, speaker, text and confidence. */
export const segmentsOf = (value: unknown) =>
  read(value).segments.map((one) => [one.start, one.end, one.speaker, one.text, one.confidence]);
