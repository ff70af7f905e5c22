import type { Span } from './passages.js';

/** Asks the process to finish its request after the current passage. */
export const STOP = 'stop';

/** What the speech process recognizes, and with which model. */
export interface SpeechRequest {
  /** Writable folder for temporary files. */
  readonly folder: string;
  /** `modelConfig` of sherpa-onnx, without tokens. */
  readonly model: object;
  /** File with the vocabulary; null for that of the built-in model. */
  readonly tokens: string | null;
  /** Model file of the detector of speech. */
  readonly detector: string;
  readonly threads: number;
  /** ISO 639-1 code. */
  readonly language: string;
  readonly voices: readonly RequestedVoice[];
}

export interface RequestedVoice {
  /** Audio in the format of `audio-format.ts`. */
  readonly path: string;
  /** Seconds at which to begin. */
  readonly from: number;
}

/** Recognized speech of one voice. */
export interface HeardSegment extends Span {
  readonly text: string;
  /** 0 to 1; null if the model does not say. */
  readonly confidence: number | null;
}

/**
 * Messages of the process: `loaded` once the model is loaded, any number of `heard`, then one of the others. After `done`
 * it takes another request, for the same model.
 */
export type SpeechMessage =
  | { readonly kind: 'loaded' }
  | HeardMessage
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string };

export interface HeardMessage {
  readonly kind: 'heard';
  /** Index of the voice. */
  readonly voice: number;
  /** Seconds: everything before it has been recognized. */
  readonly position: number;
  /** Seconds of speech since the last message. */
  readonly speechSeconds: number;
  /** Seconds of speech in which no words were recognized. */
  readonly wordlessSeconds: number;
  /** Language of the speech if the model detects it; ISO 639-1. */
  readonly language: string | null;
  readonly segments: readonly HeardSegment[];
}
