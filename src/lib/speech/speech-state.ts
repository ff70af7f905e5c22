import { z } from '../zod.js';

const STATE = z.object({
  /** Seconds of each voice that have been recognized. */
  positions: z.array(z.number().min(0)),
  speechSeconds: z.number(),
  wordlessSeconds: z.number(),
  /** Detected language. */
  language: z.string().nullable(),
  /** Whether the model has given any confidence. */
  confidenceKnown: z.boolean(),
  /** The last segments, which will be heard again. */
  provisional: z.int().min(0).default(0),
  /** For each segment, where its words begin and when, in milliseconds, one after the other. */
  words: z.array(z.array(z.int().min(0))).optional(),
});

/** How far a transcription has got. */
export type SpeechState = Readonly<z.output<typeof STATE>>;

export function initialState(voices: number): SpeechState {
  return {
    positions: Array.from({ length: voices }, () => 0),
    speechSeconds: 0,
    wordlessSeconds: 0,
    language: null,
    confidenceKnown: false,
    provisional: 0,
  };
}

/** Null if the state is of another transcriber, or of audio with other voices. */
export function readState(state: unknown, voices: number): SpeechState | null {
  const { data } = STATE.safeParse(state);
  return data?.positions.length === voices ? data : null;
}
