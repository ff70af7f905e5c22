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

/** Statuses of a transcription and of a summary. */
export const CONTENT_STATUSES = ['not_started', 'processing', 'completed', 'failed'] as const;
export type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** What happens to media that is being added to an existing recording. */
export const NEW_MEDIA_STATUSES = ['uploading', 'processing', 'failed'] as const;
export type NewMediaStatus = (typeof NEW_MEDIA_STATUSES)[number];
