import type { ExtractedAudio } from '../media-engine/media-engine.js';
import { oneLine } from '../text.js';
import { FILE_LIMITS, type Segment } from '../transcript-formats/transcript.js';
import type { CharacterTime } from './sentences.js';
import type { HeardMessage } from './speech-messages.js';
import { initialState, readState, type SpeechState } from './speech-state.js';

/** What has been heard so far, to continue from there. */
export interface SpeechDraft {
  /** 0 to 1. */
  readonly progress: number;
  readonly segments: readonly Segment[];
  /** A `SpeechState`, as JSON. */
  readonly state: unknown;
}

/** Collects what the speech process hears. */
export class HeardSpeech {
  readonly segments: Segment[];
  /** Of what this attempt has heard: drafts are saved too often to hold every word. */
  readonly words = new Map<Segment, readonly CharacterTime[]>();
  state: SpeechState;
  onSaveError: (error: unknown) => void = () => undefined;
  private saving: Promise<void> = Promise.resolve();
  private isSaving = false;
  private changed = false;

  constructor(
    private readonly audio: ExtractedAudio,
    draft: SpeechDraft | null,
  ) {
    const state = readState(draft?.state, audio.voices.length);
    this.state = state ?? initialState(audio.voices.length);
    this.segments = state ? [...(draft?.segments ?? [])] : [];
  }

  add({ voice, position, speechSeconds, wordlessSeconds, language, segments }: HeardMessage): void {
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
      this.segments.push(segment);
      if (said === text && words.length > 0) this.words.set(segment, words);
    }
    const { state } = this;
    this.state = {
      positions: state.positions.map((before, index) => (index === voice ? position : before)),
      speechSeconds: state.speechSeconds + speechSeconds,
      wordlessSeconds: state.wordlessSeconds + wordlessSeconds,
      language: state.language ?? language,
      confidenceKnown: state.confidenceKnown || segments.some(({ confidence }) => confidence !== null),
    };
    this.changed = true;
  }

  /** Skips this time if the last save is still in progress. */
  save(write: (draft: SpeechDraft) => Promise<void>): void {
    if (this.isSaving || !this.changed) return;
    this.isSaving = true;
    this.changed = false;
    this.saving = write({ progress: this.progress(), segments: [...this.segments], state: this.state })
      .catch((error: unknown) => this.onSaveError(error))
      .finally(() => (this.isSaving = false));
  }

  saved(): Promise<void> {
    return this.saving;
  }

  private progress(): number {
    const { positions } = this.state;
    const sum = positions.reduce((total, position) => total + Math.min(position, this.audio.duration), 0);
    return Math.min(1, sum / Math.max(0.001, positions.length * this.audio.duration));
  }
}
