import { isPlayable, type ContentStatus, type RecordingStatus } from './recording-status.js';

/** Refuses what a transcription in this status does not permit yet: `what` such as `Questions need`. */
export function explainTranscription(status: ContentStatus, what: string): string {
  const next =
    status === 'processing'
      ? 'wait until it is completed'
      : 'POST /api/v1/recordings/{id}/transcription starts one, PUT .../transcript imports one';
  return `The transcription is ${status}. ${what} a completed transcription; ${next}.`;
}

/** How a recording in this status, without media that can be played, gets some. */
export function howToAddMedia(status: RecordingStatus): string {
  if (isPlayable(status) || status === 'ERROR') {
    return 'Open an upload with POST /api/v1/recordings/{id}/upload.';
  }
  return status === 'PROCESSING' || status === 'TRANSCODING'
    ? 'Wait until its media has been processed.'
    : 'Send its file with PUT /api/v1/recordings/{id}/media, unless the service fetches it.';
}
