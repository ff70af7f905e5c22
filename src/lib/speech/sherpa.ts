/** The part of sherpa-onnx-node that is used; the package has no type declarations. */
import type { FileHandle } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { AUDIO_RATE, SAMPLE_BYTES } from '../media-engine/audio/audio-format.js';
import { bytes } from '../media-engine/containers/byte-range.js';
import type { Span } from './passages.js';
import type { Turn } from './speech-messages.js';

const FULL_SCALE = 32_768;

/** Samples from -1 to 1, as the library takes them. */
export function floatSamples(audio: Buffer): Float32Array {
  const samples = new Float32Array(Math.floor(audio.length / SAMPLE_BYTES));
  for (let index = 0; index < samples.length; index++)
    samples[index] = audio.readInt16LE(index * SAMPLE_BYTES) / FULL_SCALE;
  return samples;
}

/** The bytes of the samples of a span, as far as the file has them. */
export function readSpan(file: FileHandle, { start, end }: Span): Promise<Buffer> {
  const first = Math.round(start * AUDIO_RATE);
  const count = Math.max(0, Math.round(end * AUDIO_RATE) - first);
  return bytes(file, first * SAMPLE_BYTES, count * SAMPLE_BYTES);
}

export interface Sherpa {
  readonly OfflineRecognizer: new (config: object) => Recognizer;
  readonly Vad: new (config: object, bufferSeconds: number) => Detector;
  readonly OfflineSpeakerDiarization: new (config: object) => Diarizer;
  readonly SpeakerEmbeddingExtractor: new (config: object) => VoiceExtractor;
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

export interface Diarizer {
  /** Who speaks when, in seconds; blocks the thread. */
  process(samples: Float32Array): readonly Turn[];
}

/** Computes what is characteristic of a voice. */
export interface VoiceExtractor {
  createStream(): VoiceStream;
  /** Whether there is enough audio. */
  isReady(stream: VoiceStream): boolean;
  compute(stream: VoiceStream, enableExternalBuffer: boolean): Float32Array;
}

interface VoiceStream extends AudioStream {
  inputFinished(): void;
}

/** Loads the native library; throws if it does not run on this machine. */
export const loadSherpa = (): Sherpa => createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
