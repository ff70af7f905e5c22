/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Pick<Schemas['RecordingDetail'], 'id' | 'title' | 'organizationId' | 'folderId'>} Chosen A recording that something is done to. */

/** Renames a recording. @param {{ recording: Chosen, onClose: () => void, onDone: () => void }} props */
export function RenameDialog({ recording }) {
  return recording.id;
}

/** Moves recordings to another folder or organization. @param {{ recordings: readonly Chosen[], onClose: () => void, onDone: () => void }} props */
export function MoveDialog({ recordings }) {
  return recordings.length;
}

/** Deletes recordings in ten seconds, unless that is undone. @param {readonly Chosen[]} recordings */
export function deleteSoon(recordings) {
  return recordings.length;
}
