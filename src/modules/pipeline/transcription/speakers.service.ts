import type { OnApplicationShutdown } from '@nestjs/common';
import type { Audible } from '../../../lib/speech/heard-speech.js';
import type { Diarization, DiarizationOptions } from '../../../lib/speech/speech.js';
import { withSpeakers } from '../../../lib/speech/speakers-in-text.js';
import type { Segment } from '../../../lib/transcript-formats/transcript.js';
import type { AppLogger } from '../../../platform/logging/app-logger.js';
import type { TranscriptVoice } from '../../organizations/public/voices.queries.js';
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

  /** Returns the segments with their speakers, or unchanged if these cannot be distinguished: the words matter more. */
  async nameIn(
    { segments, words = new Map() }: Transcription,
    { voices: [mix, ...others] }: Audible,
    options: DiarizationOptions & { readonly recordingId: string },
  ): Promise<{ readonly segments: readonly Segment[]; readonly voices: readonly TranscriptVoice[] }> {
    const isMixed = others.length === 0 && segments.every(({ speaker }) => speaker === '');
    if (this.diarization === null || !mix || !isMixed || segments.length === 0)
      return { segments, voices: [] };
    try {
      const { turns, voices, model } = await this.diarization.turnsIn(mix, options);
      const { segments: named, labels } = withSpeakers(segments, turns, words);
      const labelled = voices.map((voice) => ({ ...voice, model, speaker: labels.get(voice.speaker) ?? '' }));
      return { segments: named, voices: labelled.filter(({ speaker }) => speaker !== '') };
    } catch (error) {
      options.signal.throwIfAborted();
      const { recordingId } = options;
      this.logger.warn({ recordingId, err: error }, 'transcription: the speakers could not be distinguished');
      return { segments, voices: [] };
    }
  }
}
