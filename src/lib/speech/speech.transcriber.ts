import type { OnApplicationShutdown } from '@nestjs/common';
import { twoLetterCode } from '../language/language-codes.js';
import type { ExtractedAudio } from '../media-engine/media-engine.js';
import {
  Transcriber,
  TranscriptionRefusedError,
  type TranscribeOptions,
  type Transcription,
} from '../../modules/pipeline/transcription/transcriber.js';
import { doubtAbout } from './doubts.js';
import { withoutEchoes } from './repetitions.js';
import { HeardSpeech } from './heard-speech.js';
import { SpeechChild, SpeechModelError } from './speech-child.js';
import { SPEECH_DETECTOR, type SpeechModel } from './speech-model.js';

const OTHER_MODELS = 'Set TRANSCRIPTION_URL or SPEECH_MODEL_DIR to use another model.';
const SAVE_INTERVAL_MS = 1_000;
/** Whisper and SenseVoice detect the language if they are given none; other models need none. */
const DETECTED = '';

export interface SpeechSettings {
  readonly threads: number;
}

/** Recognizes speech on this machine, in a process of its own. */
export class SpeechTranscriber extends Transcriber implements OnApplicationShutdown {
  private readonly child = new SpeechChild();

  constructor(
    private readonly model: SpeechModel,
    private readonly settings: SpeechSettings,
  ) {
    super();
  }

  onApplicationShutdown(): Promise<void> {
    return this.child.stop();
  }

  override async transcribe(audio: ExtractedAudio, options: TranscribeOptions): Promise<Transcription> {
    const language = this.languageOf(options.language);
    const heard = new HeardSpeech(audio, options.draft);
    const saving = setInterval(() => heard.save(options.save), SAVE_INTERVAL_MS);
    try {
      await this.hear(audio, heard, language, options);
    } finally {
      clearInterval(saving);
      heard.save(options.save);
      await heard.saved();
    }
    return this.finished(heard, language);
  }

  private async hear(
    audio: ExtractedAudio,
    heard: HeardSpeech,
    language: string,
    { folder, signal }: TranscribeOptions,
  ): Promise<void> {
    const failed = new AbortController();
    heard.onSaveError = (error) => failed.abort(error);
    const request = {
      folder,
      model: this.model.configOf(language),
      tokens: this.model.tokens,
      detector: SPEECH_DETECTOR,
      threads: this.settings.threads,
      language,
      voices: audio.voices.map(({ path }, voice) => ({ path, from: heard.state.positions[voice] ?? 0 })),
    };
    try {
      await this.child.run(request, {
        signal: AbortSignal.any([signal, failed.signal]),
        onHeard: (message) => heard.add(message),
      });
    } catch (error) {
      if (!(error instanceof SpeechModelError)) throw error;
      // What the library says names files of this machine, so it goes to the log only.
      throw new TranscriptionRefusedError(
        `The speech model ${this.model.name} could not be loaded. The log of the service says why.`,
        { cause: error },
      );
    }
  }

  private finished({ segments, state }: HeardSpeech, language: string): Transcription {
    const said = withoutEchoes(
      [...segments].sort((one, other) => one.start - other.start || one.end - other.end),
    );
    const doubt = doubtAbout(said, state);
    if (doubt !== null) {
      throw new TranscriptionRefusedError(
        `The speech could not be transcribed reliably: ${doubt}. ${languageQuestion(language)} ${OTHER_MODELS}`,
      );
    }
    return {
      language: said.length === 0 ? null : (state.language ?? (language || null)),
      segments: said,
      confidenceKnown: state.confidenceKnown,
    };
  }

  /** As models know it: two letters, or nothing to detect it. */
  private languageOf(code: string | null | undefined): string {
    const { name, languages } = this.model;
    if (!code) return languages?.[0] ?? DETECTED;
    const language = twoLetterCode(code) ?? code;
    if (languages === null || languages.includes(language)) return language;
    throw new TranscriptionRefusedError(
      `The speech model ${name} does not transcribe the language "${code}", only ${languages.map((one) => `"${one}"`).join(', ')}. ${OTHER_MODELS} The language of a recording is set when it is created; SPEECH_LANGUAGE is the default.`,
    );
  }
}

const languageQuestion = (language: string): string =>
  language === DETECTED ? 'Giving the spoken language may help.' : `Is the spoken language "${language}"?`;
