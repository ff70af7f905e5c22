/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['RecordingDetail']} Recording */

const BEING_MADE = new Set(['queued', 'processing']);

/** Whether the recording can be played now. @param {Recording} recording */
export const isPlayable = ({ media, videoUrl }) => media === 'available' && videoUrl !== null;

/** Whether it is being converted while it can be played already. @param {Recording} recording */
export const isConverting = (recording) =>
  recording.status === 'MIGRATING' && isPlayable(recording) && recording.hlsUrl === null;

/** Whether something of it is still to come by itself. @param {Recording} recording */
export const isInProgress = (recording) =>
  recording.media === 'pending' ||
  isConverting(recording) ||
  ['uploading', 'processing'].includes(recording.newMedia?.status ?? '') ||
  BEING_MADE.has(recording.transcription.status) ||
  BEING_MADE.has(recording.summary.status);

/** Which transcript there is: all of it, what has been heard so far, or none. @param {Recording} recording @returns {'whole' | 'draft' | 'none'} */
export function transcriptOf({ capabilities, transcription }) {
  if (!capabilities.canViewTranscription) return 'none';
  if (transcription.status === 'processing') return 'draft';
  return transcription.status === 'completed' && transcription.segmentsCount > 0 ? 'whole' : 'none';
}
