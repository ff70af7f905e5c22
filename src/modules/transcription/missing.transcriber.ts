import { Transcriber, TranscriptionRefusedError } from './transcriber.js';

/** Of a worker that was not told of the server that the API process knows. */
export class MissingTranscriber extends Transcriber {
  async transcribe(): Promise<never> {
    throw new TranscriptionRefusedError(
      'The worker is not set up to transcribe: the setting TRANSCRIPTION_URL is missing there.',
    );
  }
}
