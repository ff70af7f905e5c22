import { signal } from '@preact/signals';
import { listAll } from './data.js';
import { onEvent } from './events.js';
import { roleIn } from './session.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** By organization. @type {import('@preact/signals').Signal<Readonly<Record<string, readonly Schemas['Folder'][]>>>} */
const folders = signal({});
/** @type {Set<string>} */
const asked = new Set();
let isFollowing = false;

/** The folders of an organization, loaded once they are first asked for. @param {string | null | undefined} organizationId */
export function foldersOf(organizationId) {
  if (!organizationId || !roleIn(organizationId)) return [];
  if (!asked.has(organizationId)) void load(organizationId);
  return folders.value[organizationId] ?? [];
}

/** The name of a folder; undefined for none and for one that is inactive. @param {{ organizationId: string | null, folderId: string | null }} place */
export const nameOfFolder = ({ organizationId, folderId }) =>
  folderId ? foldersOf(organizationId).find(({ id }) => id === folderId)?.name : undefined;

/** @param {string} id of the organization */
async function load(id) {
  asked.add(id);
  if (!isFollowing) onEvent(follow);
  isFollowing = true;
  try {
    const all = await listAll('/organizations/{id}/folders', { path: { id } });
    folders.value = { ...folders.peek(), [id]: all };
  } catch {
    // Rows are shown without the names; the next one to ask tries again.
    asked.delete(id);
  }
}

/** @param {import('meeting-recording-client').StreamedEvent} event */
function follow({ type, data }) {
  if (type.startsWith('folder.') && 'organization_id' in data && data.organization_id)
    void load(data.organization_id);
}
