/** @import { Schemas } from 'meeting-recording-client' */

/** Summary, topics, decisions and action items of a recording. @param {{ recording: Schemas['RecordingDetail'], onChange: () => void }} props `onChange`: something of the recording has changed */
export function SummaryPanel({ recording }) {
  return recording.summary.content;
}
