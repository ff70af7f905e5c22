import type { OnApplicationShutdown } from '@nestjs/common';
import { twoLetterCode } from '../../../lib/language/language-codes.js';
import type { SpeechDraft } from '../../../lib/speech/heard-speech.js';
import { SpeechModelError } from '../../../lib/speech/speech-child.js';
import type { SpeechModel } from '../../../lib/speech/speech-model.js';
import { readState } from '../../../lib/speech/heard-speech.js';
import { Speech } from '../../../lib/speech/speech.js';
import { withContact } from '../../../platform/errors/service-error.js';
import { RefusedError } from '../public/steps.js';
import {
  type ListenOptions,
  type LiveAudio,
  type LiveDraft,
  type RecordedAudio,
  TimeSliceOverError,
  type TranscribeOptions,
  Transcriber,
  type Transcription,
} from './transcriber.js';

const OTHER_MODELS = 'Set TRANSCRIPTION_URL or SPEECH_MODEL_DIR to use another model';
/** Whisper and SenseVoice detect the language if they are given none; other models need none. */
const DETECTED = '';

/** Recognizes speech on this machine, in a process of its own. */
export class SpeechTranscriber extends Transcriber implements OnApplicationShutdown {
  private readonly speech: Speech;
  /** Of meetings in progress, which cannot wait until a long recording has been transcribed. */
  private readonly liveSpeech: Speech;

  constructor(
    private readonly model: SpeechModel,
    private readonly options: {
      readonly threads: number;
      readonly keepsWords: boolean;
      /** Whom to ask for another model; null: how to set one is said. */
      readonly contact: string | null;
    },
  ) {
    super();
    this.speech = new Speech(model, options.threads);
    this.liveSpeech = new Speech(model, options.threads);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.speech.stop(), this.liveSpeech.stop()]);
  }

  override async transcribe(audio: RecordedAudio, options: TranscribeOptions): Promise<Transcription> {
    const language = this.languageFor(options.language);
    const { keepsWords } = this.options;
    const hearing = this.speech.hear(audio, { ...options, language, keepsWords, mayFinishPassage });
    const { doubt, ...heard } = await hearing.catch(this.explain);
    if (doubt === null) return heard;
    throw this.refused(
      `The speech could not be transcribed reliably: ${doubt}. ${languageQuestion(language)} ${OTHER_MODELS}.`,
    );
  }

  override readonly listen = async (
    { duration, ...voice }: LiveAudio,
    options: ListenOptions,
  ): Promise<LiveDraft> => {
    const language = this.languageFor(options.language);
    let next: SpeechDraft = options.draft ?? { progress: 0, segments: [], state: null };
    await this.liveSpeech
      .hear(
        { voices: [voice], duration },
        {
          ...options,
          language,
          keepsWords: this.options.keepsWords,
          mayFinishPassage,
          isOpen: true,
          save: (draft) => {
            next = draft;
            return Promise.resolve();
          },
        },
      )
      .catch(this.explain);
    return { ...next, heardUntil: readState(next.state, 1)?.positions[0] ?? 0 };
  };

  private readonly explain = (error: unknown): never => {
    if (!(error instanceof SpeechModelError)) throw error;
    // What the library says names files of this machine, so it goes to the log only.
    throw new RefusedError(
      `The speech model ${this.model.name} could not be loaded. The log of the service says why.`,
      { cause: error },
    );
  };

  private refused(reason: string): RefusedError {
    return new RefusedError(withContact(reason, OTHER_MODELS, this.options.contact));
  }

  /** The language as models know it: two letters, or nothing to detect it. */
  private languageFor(code: string | null | undefined): string {
    const { name, languages } = this.model;
    if (!code) return languages?.[0] ?? DETECTED;
    const language = twoLetterCode(code) ?? code;
    if (languages === null || languages.includes(language)) return language;
    throw this.refused(
      `The speech model ${name} does not transcribe the language "${code}", only ${languages.map((one) => `"${one}"`).join(', ')}. ${OTHER_MODELS}. The language of a recording is set when it is created; SPEECH_LANGUAGE is the default.`,
    );
  }
}

const mayFinishPassage = (reason: unknown): boolean => reason instanceof TimeSliceOverError;

const languageQuestion = (language: string): string =>
  language === DETECTED ? 'Giving the spoken language may help.' : `Is the spoken language "${language}"?`;
