/** @import { Schemas } from 'meeting-recording-client' */

/** The share links of a recording: who has looked, expiry, password, permission. @param {{ recording: Schemas['RecordingDetail'], onClose: () => void }} props */
export function ShareDialog({ recording }) {
  return recording.id;
}
