import type { ExtractedAudio } from '../packaging/audio/audio.service.js';

export interface TranscribeOptions {
  /** BCP 47 code of the spoken language; null or omitted if unknown. */
  readonly language?: string | null;
  /** Aborts the work; the promise then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

export interface Transcription {
  /** ISO 639-1 code; null if unknown or if nobody speaks. */
  readonly language: string | null;
  /** In order of `start`. Empty if nobody speaks. */
  readonly segments: readonly TranscribedSegment[];
}

/** Times are seconds within the recording; `end` is not before `start`. */
export interface TranscribedSegment {
  readonly start: number;
  readonly end: number;
  /** Not empty, storable in PostgreSQL, within the limits of the contract. */
  readonly text: string;
  /** Empty if unknown. */
  readonly speaker: string;
  /** From 0 to 1; 1 if unknown. */
  readonly confidence: number;
}

/** A failure that a retry cannot fix. The message is shown to the user. */
export class TranscriptionRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TranscriptionRefusedError';
  }
}

/**
 * Transcribes audio. An abstract class, so that it is its own injection token. Adapters: `openai.transcriber.ts`, and
 * `missing.transcriber.ts` if no server is configured.
 */
export abstract class Transcriber {
  /** Throws `TranscriptionRefusedError` if a retry would fail as well; any other error is retried. */
  abstract transcribe(audio: ExtractedAudio, options: TranscribeOptions): Promise<Transcription>;
}
