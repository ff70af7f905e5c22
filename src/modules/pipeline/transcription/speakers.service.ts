import type { OnApplicationShutdown } from '@nestjs/common';
import type { Audible } from '../../../lib/speech/heard-speech.js';
import type { Diarization } from '../../../lib/speech/speech.js';
import { withSpeakers } from '../../../lib/speech/speakers-in-text.js';
import type { HearingOptions } from '../../../lib/speech/speech.js';
import type { Segment } from '../../../lib/transcript-formats/transcript.js';
import type { AppLogger } from '../../../platform/logging/app-logger.js';
import type { Transcription } from './transcriber.js';

/** Finds out who speaks in a mixed recording, if there are models for it. */
export class SpeakersService implements OnApplicationShutdown {
  constructor(
    private readonly diarization: Pick<Diarization, 'turnsIn' | 'stop'> | null,
    private readonly logger: Pick<AppLogger, 'warn'>,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.diarization?.stop();
  }

  /** Returns the segments with their speakers, or unchanged if the voices cannot be distinguished: the words matter more. */
  async nameIn(
    { segments, words = new Map() }: Transcription,
    { voices }: Audible,
    options: Pick<HearingOptions, 'folder' | 'signal'> & { readonly recordingId: string },
  ): Promise<readonly Segment[]> {
    const [mix, ...others] = voices;
    const isMixed = others.length === 0 && segments.every(({ speaker }) => speaker === '');
    if (this.diarization === null || !mix || !isMixed || segments.length === 0) return segments;
    try {
      const turns = await this.diarization.turnsIn(mix, options);
      return withSpeakers(segments, turns, words);
    } catch (error) {
      options.signal.throwIfAborted();
      const { recordingId } = options;
      this.logger.warn({ recordingId, err: error }, 'transcription: the speakers could not be distinguished');
      return segments;
    }
  }
}
