import type { ExtractedAudio } from '../../../lib/media-engine/media-engine.js';
import type { WordTimes } from '../../../lib/speech/speakers-in-text.js';
import type { Segment } from '../../../lib/transcript-formats/transcript.js';

export interface ListenOptions {
  /** BCP 47 code of the spoken language; null or omitted to detect it. */
  readonly language?: string | null;
  /** Aborts the work; the promise then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  /** Writable folder for temporary files. */
  readonly folder: string;
  /** What an interrupted attempt has left, to continue from there. */
  readonly draft: Draft | null;
}

export interface TranscribeOptions extends ListenOptions {
  /** Names and terms that may be said, as they are spelled; most recognizers cannot use them. */
  readonly terms?: readonly string[];
  /** Keeps what has been transcribed so far; called from time to time. */
  readonly save: (draft: Draft) => Promise<void>;
}

/** An unfinished transcription. */
export interface Draft {
  /** 0 to 1. */
  readonly progress: number;
  /** So far. */
  readonly segments: readonly Segment[];
  /** What the transcriber needs to continue, as JSON. */
  readonly state: unknown;
}

export interface Transcription {
  /** ISO 639-1 code; null if unknown or if nobody speaks. */
  readonly language: string | null;
  /** Ordered by `start`, within the limits of the contract. Empty if nobody speaks. */
  readonly segments: readonly Segment[];
  /** Whether the confidences are those of the model. */
  readonly confidenceKnown: boolean;
  /** Where words begin, for segments of which the model says so. */
  readonly words?: WordTimes;
}

/** Audio of a meeting in progress. */
export interface LiveAudio {
  /** Raw mono samples, as those of `ExtractedAudio`, of the meeting from its beginning; what was heard may be missing. */
  readonly path: string;
  /** Seconds that there are so far. */
  readonly duration: number;
}

/** A draft of a meeting in progress, which a transcription of the whole can continue. */
export interface LiveDraft extends Draft {
  /** Seconds: what is before will not be heard again. */
  readonly heardUntil: number;
}

/** Reason of an abort that leaves time to reach a good point: another transcription has the next time slice. */
export class TimeSliceOverError extends Error {}

/** A failure that a retry cannot fix. The message is shown to the user. */
export class TranscriptionRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TranscriptionRefusedError';
  }
}

/**
 * Transcribes audio. An abstract class, so that it is its own injection token. Adapters: `speech.transcriber.ts`,
 * which needs nothing, and `openai.transcriber.ts`.
 */
export abstract class Transcriber {
  /** Throws `TranscriptionRefusedError` if a retry would fail as well; any other error is retried. */
  abstract transcribe(audio: ExtractedAudio, options: TranscribeOptions): Promise<Transcription>;

  /** Continues the draft of a meeting in progress; null if the transcriber needs the whole. Throws as `transcribe`. */
  abstract readonly listen: ((audio: LiveAudio, options: ListenOptions) => Promise<LiveDraft>) | null;
}
