import { Transcriber, TranscriptionRefusedError } from './transcriber.js';

/** For a worker without the setting that the API process has. */
export class MissingTranscriber extends Transcriber {
  async transcribe(): Promise<never> {
    throw new TranscriptionRefusedError(
      'The worker is not set up to transcribe: its setting TRANSCRIPTION_URL is missing.',
    );
  }
}
