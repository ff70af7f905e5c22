/** @import { Schemas } from 'meeting-recording-client' */

/** What can be downloaded of a recording: media, transcript and summary in all formats. @param {{ recording: Schemas['RecordingDetail'] }} props */
export function ExportMenu({ recording }) {
  return recording.id;
}
