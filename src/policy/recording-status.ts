/** Statuses of a recording, in the order in which a recording passes through them. */
export const RECORDING_STATUSES = [
  'STARTING',
  'CONNECTING',
  'WAIT_APPROVAL',
  'RECORDING',
  'UPLOADING',
  'PROCESSING',
  'TRANSCODING',
  'MIGRATING',
  'COMPLETED',
  'ERROR',
] as const;
export type RecordingStatus = (typeof RECORDING_STATUSES)[number];

/** Consumers treat MIGRATING exactly like COMPLETED (States, rule 1). */
export function isPlayable(status: RecordingStatus): boolean {
  return status === 'MIGRATING' || status === 'COMPLETED';
}

/** Whether there is media to play: none of a meeting of which only the words were sent, until media is added. */
export const MEDIA_STATES = ['available', 'pending', 'none'] as const;
export type MediaState = (typeof MEDIA_STATES)[number];

/**
 * `hasMedia`: whether any is stored. That of a failed recording cannot be played, and nothing more will come by itself.
 */
export function mediaState(status: RecordingStatus, hasMedia: boolean): MediaState {
  if (isPlayable(status)) return hasMedia ? 'available' : 'none';
  return status === 'ERROR' ? 'none' : 'pending';
}

/** Statuses of a transcription and of a summary, as stored. */
export const CONTENT_STATUSES = ['not_started', 'processing', 'completed', 'failed'] as const;
export type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** As shown: what is `queued` begins by itself after what precedes it. */
export const SHOWN_STATUSES = ['not_started', 'queued', 'processing', 'completed', 'failed'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** What happens to media that is being added to an existing recording. */
export const NEW_MEDIA_STATUSES = ['uploading', 'processing', 'failed'] as const;
export type NewMediaStatus = (typeof NEW_MEDIA_STATUSES)[number];
