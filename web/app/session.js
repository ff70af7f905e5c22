import { signal } from '@preact/signals';
import { loadMe } from './api.js';
import { listAll } from './data.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** Who is signed in. @type {import('@preact/signals').Signal<Schemas['CurrentUser'] | null>} */
export const me = signal(null);
/** Their organizations, with their roles. @type {import('@preact/signals').Signal<readonly Schemas['Organization'][]>} */
export const organizations = signal([]);

/** Loads both, also again after rights have changed. */
export async function loadSession() {
  const [now, all] = await Promise.all([loadMe(), listAll('/organizations', {})]);
  // What the page has loaded is not theirs.
  if (me.value && me.value.id !== now.id) location.reload();
  [me.value, organizations.value] = [now, all];
}

/** The role in an organization; undefined for one that they do not belong to. @param {string | null | undefined} id */
export const roleIn = (id) => organizations.value.find((one) => one.id === id)?.role;

/** Whether they manage an organization. @param {string | null | undefined} id */
export const manages = (id) => ['OWNER', 'ADMIN'].includes(roleIn(id) ?? '');

/** The name of an organization, for recordings of it. @param {string | null | undefined} id */
export const nameOfOrganization = (id) => organizations.value.find((one) => one.id === id)?.name;
