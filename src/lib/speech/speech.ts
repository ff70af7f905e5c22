import { basename } from 'node:path';
import type { Segment } from '../transcript-formats/transcript.js';
import { doubtAbout } from './doubts.js';
import { HeardSpeech, type Audible, type SpeechDraft } from './heard-speech.js';
import { withoutEchoes } from './repetitions.js';
import { SpeechChild } from './speech-child.js';
import { SPEECH_DETECTOR, type SpeechModel, type DiarizationModel } from './speech-model.js';
import type { WordTimes } from './speakers-in-text.js';
import type { ExtractedAudio } from '../media-engine/media-engine.js';
import type { SpeakerVoice, Turn } from './speech-messages.js';

const SAVE_INTERVAL_MS = 1_000;
/** The rest of a recording is short up to this, and those who have read what precedes it wait for it. */
const AWAITED_SECONDS = 120;

export interface HearingOptions {
  /** ISO 639-1 code of the spoken language; empty to let the model detect it. */
  readonly language: string;
  /** Writable folder for temporary files. */
  readonly folder: string;
  /** Aborts the work; the promise then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  /** Whether an abort for this reason leaves time to finish the passage that is being recognized. */
  readonly mayFinishPassage: (reason: unknown) => boolean;
  /** What an interrupted attempt has left, to continue from there. */
  readonly draft: SpeechDraft | null;
  /** Whether the times of words are of use. */
  readonly keepsWords: boolean;
  /** The meeting goes on: what has not ended is only kept in drafts, and heard again with what follows. */
  readonly isOpen?: boolean;
  /** Keeps what has been heard so far; called every second if there is something new. */
  readonly save: (draft: SpeechDraft) => Promise<void>;
}

export interface Heard {
  /** ISO 639-1 code; null if unknown or if nobody speaks. */
  readonly language: string | null;
  /** Sorted by `start`. Empty if nobody speaks. */
  readonly segments: readonly Segment[];
  /** Whether the confidences are those of the model. */
  readonly confidenceKnown: boolean;
  /** Why the words are probably not what was said, for users; null if there is no reason to doubt them. */
  readonly doubt: string | null;
  /** Where words begin, for segments of which the model says so. */
  readonly words?: WordTimes;
}

/**
 * Speech: takes extracted audio and a model of `speech-model.ts`, and gives what is said. It works in a confined child
 * process with sherpa-onnx, because neither media nor model files are trusted; the process is kept while there is work.
 */
export class Speech {
  private readonly child = new SpeechChild();

  constructor(
    private readonly model: SpeechModel,
    private readonly threads: number,
  ) {}

  /** Ends the process if there is one. */
  stop(): Promise<void> {
    return this.child.stop();
  }

  /** Throws `SpeechModelError` if the model cannot be loaded; any other error is worth a retry. */
  async hear(audio: Audible, options: HearingOptions): Promise<Heard> {
    const heard = new HeardSpeech(audio, options.draft, options.keepsWords);
    const saving = setInterval(() => heard.save(options.save), SAVE_INTERVAL_MS);
    try {
      await this.recognize(audio, heard, options);
    } finally {
      clearInterval(saving);
      await heard.finish(options.save);
    }
    const { segments, state, words } = heard;
    const said = withoutEchoes(
      segments.toSorted((one, other) => one.start - other.start || one.end - other.end),
    );
    return {
      language: said.length === 0 ? null : (state.language ?? (options.language || null)),
      segments: said,
      confidenceKnown: state.confidenceKnown,
      doubt: doubtAbout(said, state),
      ...(words.size > 0 && { words }),
    };
  }

  private async recognize(
    audio: Audible,
    heard: HeardSpeech,
    { language, folder, signal, mayFinishPassage, isOpen = false }: HearingOptions,
  ): Promise<void> {
    const failed = new AbortController();
    heard.onSaveError = (error) => failed.abort(error);
    const begun = Math.min(...heard.state.positions);
    const request = {
      task: 'recognize' as const,
      folder,
      model: this.model.configOf(language),
      tokens: this.model.tokens,
      detector: SPEECH_DETECTOR,
      threads: this.threads,
      language,
      isOpen,
      isAwaited: isOpen || (begun > 0 && audio.duration - begun < AWAITED_SECONDS),
      voices: audio.voices.map(({ path }, voice) => ({ path, from: heard.state.positions[voice] ?? 0 })),
    };
    await this.child.run(request, {
      signal: AbortSignal.any([signal, failed.signal]),
      mayFinishPassage,
      onResult: (result) => {
        if (result.kind === 'heard') heard.add(result);
      },
    });
  }
}

export interface DiarizationOptions extends Pick<HearingOptions, 'folder' | 'signal'> {
  /** Whether to return the voices: otherwise what characterizes them never leaves the child process. */
  readonly wantsVoices?: boolean;
}

export interface Speakers {
  /** In order. */
  readonly turns: readonly Turn[];
  /** Those of the speakers of the turns; empty unless asked for. */
  readonly voices: readonly SpeakerVoice[];
  /** What has computed the embeddings: only those of the same are comparable. */
  readonly model: string;
}

/** Finds out who speaks when in a mix, in a confined child process. */
export class Diarization {
  private readonly child = new SpeechChild();

  constructor(
    private readonly model: DiarizationModel,
    private readonly threads: number,
  ) {}

  /** Ends the process if there is one. */
  stop(): Promise<void> {
    return this.child.stop();
  }

  /** Throws if the models cannot be loaded, or the process dies. */
  async turnsIn(
    { path }: Pick<ExtractedAudio, 'path'>,
    { folder, signal, wantsVoices = false }: DiarizationOptions,
  ): Promise<Speakers> {
    const { model, threads } = this;
    let speakers: Speakers = { turns: [], voices: [], model: basename(model.embedding) };
    await this.child.run(
      { task: 'diarize', folder, model, threads, voices: [{ path, from: 0 }], wantsVoices },
      {
        signal,
        mayFinishPassage: () => false,
        onResult: (result) => {
          if (result.kind !== 'turns') return;
          const voices = result.voices.map((voice) => ({
            ...voice,
            embedding: Float32Array.from(voice.embedding),
          }));
          speakers = { ...speakers, turns: result.turns, voices };
        },
      },
    );
    return speakers;
  }
}
