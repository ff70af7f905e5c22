import { z } from '../zod.js';
import type { DiarizationModel } from './speech-model.js';

/** Asks the process to finish its request after the current passage. */
export const STOP = 'stop';

interface Request {
  /** Writable folder for temporary files. This and the paths of voices are relative to the working folder. */
  readonly folder: string;
  readonly threads: number;
  /** Audio in the format of `audio-format.ts`, and the seconds at which to begin. */
  readonly voices: readonly { readonly path: string; readonly from: number }[];
}

/** What the speech process recognizes, and with which model. */
export interface RecognitionRequest extends Request {
  readonly task: 'recognize';
  /** `modelConfig` of sherpa-onnx, without tokens. */
  readonly model: object;
  /** File with the vocabulary; null for that of the built-in model. */
  readonly tokens: string | null;
  /** Model file of the detector of speech. */
  readonly detector: string;
  /** ISO 639-1 code. */
  readonly language: string;
  /** The meeting goes on: what has not ended is recognized as far as it goes, and will be asked for again. */
  readonly isOpen: boolean;
  /** There is little to recognize, and people wait for it. */
  readonly isAwaited: boolean;
}

/** Asks who speaks when in voices that are mixes. */
export interface DiarizationRequest extends Request {
  readonly task: 'diarize';
  readonly model: DiarizationModel;
  /** Whether to send what is characteristic of each voice. */
  readonly wantsVoices: boolean;
}

export type SpeechRequest = RecognitionRequest | DiarizationRequest;

/** More than a day has, with one every second. */
export const MAX_TURNS = 100_000;
/** Nobody tells more apart. */
export const MAX_SPEAKERS = 50;

/** Everything of the process is checked, because a model file is not trusted either. Times are in seconds. */
const seconds = z.number().min(0);
const language = z.string().max(35).nullable();

const HEARD_SEGMENT = z
  .strictObject({
    start: z.number(),
    end: z.number(),
    text: z.string().max(100_000),
    /** 0 to 1; null if the model does not say. */
    confidence: z.number().min(0).max(1).nullable(),
    /** Where words begin in the text, and when they are spoken; none if the model does not say. */
    words: z
      .array(z.strictObject({ position: z.int().min(0), time: z.number() }).readonly())
      .max(100_000)
      .readonly(),
  })
  .readonly();

const HEARD = z
  .strictObject({
    kind: z.literal('heard'),
    /** Index of the voice. */
    voice: z.int().min(0),
    /** Everything before it has been recognized. */
    position: z.number(),
    /** This comes again, with what follows. */
    isProvisional: z.boolean(),
    /** Seconds of speech since the last message. */
    speechSeconds: seconds,
    /** Seconds of speech in which no words were recognized. */
    wordlessSeconds: seconds,
    /** Language of the speech if the model detects it; ISO 639-1. */
    language,
    segments: z.array(HEARD_SEGMENT).max(10_000).readonly(),
  })
  .readonly();

const speaker = z.int().min(0);
const TURNS = z
  .strictObject({
    kind: z.literal('turns'),
    turns: z
      .array(z.strictObject({ start: seconds, end: seconds, speaker }).readonly())
      .max(MAX_TURNS)
      .readonly(),
    /** What is characteristic of the speakers, as directions; none unless asked for. */
    voices: z
      .array(
        z
          .strictObject({ speaker, seconds, embedding: z.array(z.number().min(-1).max(1)).min(1).max(4096) })
          .readonly(),
      )
      .max(MAX_SPEAKERS)
      .readonly(),
  })
  .readonly();

/**
 * Messages of the process: `loaded` once the model is loaded, any number of results, then one of the others. `listened`
 * says that it is working; `turns` comes once. After `done` it takes another request, for the same model; `makesWay`:
 * it has the lowest priority by now.
 */
export const SPEECH_MESSAGE = z.union([
  z.strictObject({ kind: z.literal('loaded') }),
  HEARD,
  z.strictObject({ kind: z.literal('listened') }),
  TURNS,
  z.strictObject({ kind: z.literal('done'), makesWay: z.boolean() }),
  z.strictObject({ kind: z.literal('failed'), message: z.string().max(10_000) }),
]);
export type SpeechMessage = z.infer<typeof SPEECH_MESSAGE>;

/** Recognized speech of one voice. */
export type HeardMessage = z.infer<typeof HEARD>;

/** What the process finds out. */
export type SpeechResult = Extract<SpeechMessage, { readonly kind: 'heard' | 'listened' | 'turns' }>;
/** A stretch of speech of one speaker; those of the same speaker have the same number. */
export type Turn = z.infer<typeof TURNS>['turns'][number];
/** What is characteristic of the voice of a speaker. */
export interface SpeakerVoice {
  /** As in the turns. */
  readonly speaker: number;
  /** How long the speaker is heard. */
  readonly seconds: number;
  /** A direction: of length 1, and the cosine of the angle between two says how alike they are. */
  readonly embedding: Float32Array;
}
