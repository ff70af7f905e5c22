import type { ExtractedAudio } from '../media-engine/media-engine.js';
import { oneLine } from '../text.js';
import { FILE_LIMITS, type Segment } from '../transcript-formats/transcript.js';
import type { CharacterTime } from './sentences.js';
import type { HeardMessage } from './speech-messages.js';
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

export const initialState = (voices: number): SpeechState => ({
  positions: Array.from({ length: voices }, () => 0),
  speechSeconds: 0,
  wordlessSeconds: 0,
  language: null,
  confidenceKnown: false,
  provisional: 0,
});

/** Null if the state is of another transcriber, or of audio with other voices. */
export function readState(state: unknown, voices: number): SpeechState | null {
  const { data } = STATE.safeParse(state);
  return data?.positions.length === voices ? data : null;
}

/** What has been heard so far, to continue from there. */
export interface SpeechDraft {
  /** 0 to 1. */
  readonly progress: number;
  readonly segments: readonly Segment[];
  /** What is needed to continue, as JSON; here a `SpeechState`. */
  readonly state: unknown;
}

/** What is heard: voices, and how long they are. */
export type Audible = Pick<ExtractedAudio, 'voices' | 'duration'>;

/** Collects what the speech process hears. */
export class HeardSpeech {
  readonly segments: Segment[];
  /** Not ended yet. */
  private provisional: Segment[] = [];
  readonly words = new Map<Segment, readonly CharacterTime[]>();
  state: SpeechState;
  onSaveError: (error: unknown) => void = () => undefined;
  private saving: Promise<void> | null = null;
  private changed = false;

  constructor(
    private readonly audio: Audible,
    draft: SpeechDraft | null,
    private readonly keepsWords: boolean,
  ) {
    const found = readState(draft?.state, audio.voices.length);
    const { words = [], ...state } = found ?? initialState(audio.voices.length);
    this.state = { ...state, provisional: 0 };
    const drafted = found ? (draft?.segments ?? []) : [];
    this.segments = drafted.slice(0, Math.max(0, drafted.length - state.provisional));
    this.segments.forEach((segment, index) => this.keepWords(segment, wordsOf(words[index] ?? [])));
  }

  add({ voice, position, isProvisional, segments, ...heard }: HeardMessage): void {
    this.changed = true;
    const { speaker = '' } = this.audio.voices[voice] ?? {};
    for (const { start, end, text, confidence, words } of segments) {
      const said = oneLine(text, FILE_LIMITS.text);
      if (said === '') continue;
      const time = (seconds: number): number =>
        Math.round(Math.min(this.audio.duration, Math.max(0, seconds)) * 1000) / 1000;
      const segment = {
        start: time(start),
        end: Math.max(time(start), time(end)),
        text: said,
        speaker,
        confidence: confidence ?? 1,
      };
      (isProvisional ? this.provisional : this.segments).push(segment);
      if (said === text && !isProvisional) this.keepWords(segment, words);
    }
    if (isProvisional) return;
    const { state } = this;
    this.state = {
      ...state,
      positions: state.positions.map((before, index) => (index === voice ? position : before)),
      speechSeconds: state.speechSeconds + heard.speechSeconds,
      wordlessSeconds: state.wordlessSeconds + heard.wordlessSeconds,
      language: state.language ?? heard.language,
      confidenceKnown: state.confidenceKnown || segments.some(({ confidence }) => confidence !== null),
    };
  }

  /** Skips this time if the last save is still in progress. */
  save(write: (draft: SpeechDraft) => Promise<void>): void {
    if (!this.saving && this.changed) this.write(write, this.state);
  }

  /** Saves what another attempt continues from, with the words, which are too many to be saved every time. */
  async finish(write: (draft: SpeechDraft) => Promise<void>): Promise<void> {
    await this.saving;
    const words = this.segments.map((segment) => numbersOf(this.words.get(segment) ?? []));
    const hasWords = this.words.size > 0;
    if (this.changed || hasWords) this.write(write, { ...this.state, ...(hasWords && { words }) });
    await this.saving;
  }

  private write(write: (draft: SpeechDraft) => Promise<void>, state: SpeechState): void {
    this.changed = false;
    const { provisional } = this;
    const segments = [...this.segments, ...provisional];
    this.saving = write({
      progress: this.progress(),
      segments,
      state: { ...state, provisional: provisional.length },
    })
      .catch((error: unknown) => this.onSaveError(error))
      .finally(() => (this.saving = null));
  }

  private keepWords(segment: Segment, words: readonly CharacterTime[]): void {
    if (this.keepsWords && words.length > 0) this.words.set(segment, words);
  }

  private progress(): number {
    const { positions } = this.state;
    const sum = positions.reduce((total, position) => total + Math.min(position, this.audio.duration), 0);
    return Math.min(1, sum / Math.max(0.001, positions.length * this.audio.duration));
  }
}

const numbersOf = (words: readonly CharacterTime[]): number[] =>
  words.flatMap(({ position, time }) => [position, Math.round(1000 * Math.max(0, time))]);

const wordsOf = (numbers: readonly number[]): CharacterTime[] =>
  numbers.flatMap((position, index) =>
    index % 2 === 0 ? [{ position, time: (numbers[index + 1] ?? 0) / 1000 }] : [],
  );
