import type { Sound } from '../packaging/sound/sound.service.js';

export interface TranscribeOptions {
  /** Code of the language that is spoken, by BCP 47; null or left out when it is not known. */
  readonly language?: string | null;
  /** Stops the work; the promise then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

export interface Transcription {
  /** ISO 639-1 code; null when not told, or nobody speaks. */
  readonly language: string | null;
  /** In order of `start`. Empty when nobody speaks. */
  readonly segments: readonly TranscribedSegment[];
}

/** What was said in one go. Times in seconds of the recording, within it; `end` is not before `start`. */
export interface TranscribedSegment {
  readonly start: number;
  readonly end: number;
  /** Not empty, of characters that PostgreSQL stores, within the limits of the contract. */
  readonly text: string;
  /** Empty when not told. */
  readonly speaker: string;
  /** From 0 to 1; 1 when not told. */
  readonly confidence: number;
}

/** What trying again cannot mend; the message is fit for whoever asked for the transcript. */
export class TranscriptionRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TranscriptionRefusedError';
  }
}

/**
 * Writes down what is said. Abstract class, so that it is its own injection token. Adapters: `openai.transcriber.ts`, and
 * `missing.transcriber.ts` where no server is set.
 */
export abstract class Transcriber {
  /** Throws `TranscriptionRefusedError` for what will fail again; any other error is worth another attempt. */
  abstract transcribe(sound: Sound, options: TranscribeOptions): Promise<Transcription>;
}
