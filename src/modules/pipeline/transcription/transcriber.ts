import type { ExtractedAudio } from '../../../lib/media-engine/media-engine.js';
import type { Audible, SpeechDraft } from '../../../lib/speech/heard-speech.js';
import type { Heard, HearingOptions } from '../../../lib/speech/speech.js';

/** A file with the samples of `ExtractedAudio`, which is understood by itself. */
export interface RecordedFile extends Pick<ExtractedAudio, 'path'> {
  /** The participant; empty if others are heard as well. */
  readonly speaker: string;
  /** BCP 47 code of what is spoken in it; null if it is the same in all files. */
  readonly language: string | null;
  /** As those of `ExtractedAudio`. */
  readonly levels: () => Promise<Float32Array>;
}

/** What there is to transcribe, on one time line. */
export interface RecordedAudio extends Audible, Pick<ExtractedAudio, 'rate' | 'levelSeconds'> {
  /** Everyone in one file, or a file for each track. */
  readonly files: readonly RecordedFile[];
}

export interface ListenOptions extends Pick<HearingOptions, 'signal' | 'folder' | 'draft'> {
  /** BCP 47 code of the spoken language; null or omitted to detect it. */
  readonly language?: string | null;
}

export interface TranscribeOptions extends ListenOptions {
  /** Names and terms that may be said, as they are spelled; most recognizers cannot use them. */
  readonly terms?: readonly string[];
  /** Keeps what has been transcribed so far; called from time to time. */
  readonly save: (draft: SpeechDraft) => Promise<void>;
}

/** The segments are within the limits of the contract. */
export type Transcription = Omit<Heard, 'doubt'>;

export interface LiveAudio {
  /** Raw mono samples, like those of `ExtractedAudio`, of the meeting from its beginning; what was heard may be missing. */
  readonly path: string;
  /** Seconds that there are so far. */
  readonly duration: number;
  /** Who it is; empty if it is everyone. */
  readonly speaker: string;
}

/** A draft of a meeting in progress, which a transcription of the whole can continue. */
export interface LiveDraft extends SpeechDraft {
  /** Seconds: audio before this is not transcribed again. */
  readonly heardUntil: number;
}

/** Reason of an abort that leaves time to reach a good point: another transcription has the next time slice. */
export class TimeSliceOverError extends Error {}

/** Transcribes audio: `speech.transcriber.ts`, which needs nothing, or `openai.transcriber.ts`. */
export abstract class Transcriber {
  /** Throws `RefusedError` if a retry would fail as well; any other error is retried. */
  abstract transcribe(audio: RecordedAudio, options: TranscribeOptions): Promise<Transcription>;

  /** Continues the draft of a meeting in progress; null if the transcriber needs the whole. Throws as `transcribe`. */
  abstract readonly listen: ((audio: LiveAudio, options: ListenOptions) => Promise<LiveDraft>) | null;
}
