import { signal } from '@preact/signals';
import { api } from './api.js';
import { onEvent } from './events.js';
import { roleIn } from './session.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** As many of an organization can be chosen from. */
const MAX = 1_000;
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
  /** @type {Schemas['Folder'][]} */
  const all = [];
  try {
    for await (const folder of api.list('/organizations/{id}/folders', {
      path: { id },
      query: { limit: 100 },
    })) {
      all.push(folder);
      if (all.length >= MAX) break;
    }
    folders.value = { ...folders.peek(), [id]: all };
  } catch {
    // Rows are shown without the names; whoever asks next tries again.
    asked.delete(id);
  }
}

/** @param {import('meeting-recording-client').StreamedEvent} event */
function follow({ type, data }) {
  if (type.startsWith('folder.') && 'organization_id' in data && data.organization_id)
    void load(data.organization_id);
}
