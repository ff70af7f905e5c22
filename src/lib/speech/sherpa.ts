/** The part of sherpa-onnx-node that is used; the package has no type declarations. */
import { createRequire } from 'node:module';

import type { ExtractedAudio } from '../media-engine/media-engine.js';

/** Rate of extracted audio, and what speech models work with, in hertz. */
export const AUDIO_RATE: ExtractedAudio['rate'] = 16_000;

/** Signed, little endian. */
export const SAMPLE_BYTES = 2;

export interface Sherpa {
  readonly OfflineRecognizer: new (config: object) => Recognizer;
  readonly Vad: new (config: object, bufferSeconds: number) => Detector;
}

export interface Recognizer {
  createStream(): AudioStream;
  decodeAsync(stream: AudioStream): Promise<RecognizerResult>;
}

interface AudioStream {
  acceptWaveform(waveform: { samples: Float32Array; sampleRate: number }): void;
}

/** Lists are empty if the model does not provide them. */
export interface RecognizerResult {
  readonly text: string;
  readonly lang?: string;
  readonly tokens?: readonly string[];
  /** Seconds within the audio at which each token begins. */
  readonly timestamps?: readonly number[];
  /** Natural logarithm of the probability of each token. */
  readonly ys_log_probs?: readonly number[];
}

export interface Detector {
  acceptWaveform(samples: Float32Array): void;
  isEmpty(): boolean;
  /** The oldest stretch of speech found; `start` counts samples since the detector was created. */
  front(enableExternalBuffer: boolean): { readonly start: number; readonly samples: Float32Array };
  pop(): void;
  isDetected(): boolean;
  flush(): void;
}

/** Loads the native library; throws if it does not run on this machine. */
export function loadSherpa(): Sherpa {
  return createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
}
