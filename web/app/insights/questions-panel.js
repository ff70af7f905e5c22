/** @import { Schemas } from 'meeting-recording-client' */

/** Questions to one recording, whose citations lead to the moments. @param {{ recording: Schemas['RecordingDetail'] }} props */
export function QuestionsPanel({ recording }) {
  return recording.id;
}
