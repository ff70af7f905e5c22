// The recordings that the list shows: as far as they have been loaded, and kept while other pages of the library are open.
import { batch, computed, signal } from '@preact/signals';
import { api } from '../api.js';
import { onEvent, recordingIdOf } from '../events.js';
import { me } from '../session.js';

/** @import { Schemas, StreamedEvent } from 'meeting-recording-client' */
/** @typedef {{ organization_id?: string, folder_id?: string, status?: Schemas['RecordingStatus'][], date_from?: string, date_to?: string }} Query What the API is asked for */
/** @typedef {Omit<Schemas['RecordingListItem'], 'capabilities' | 'capabilityReasons'>} Row */
/** @typedef {{ key: string, rows: readonly Row[], cursor?: string | null, total: number, isLoading: boolean, error?: unknown }} Listed `key`: of what was asked for; `cursor`: undefined before the first page, null after the last */

const PAGE = 100;
/** After these, the user sees other recordings than before. */
const CHANGES_SIGHT = /^(member\.|folder\.(member|updated|deleted))/;

/** @type {import('@preact/signals').Signal<Listed>} */
const listed = signal({ key: '', rows: [], total: 0, isLoading: false });
/** Ids of recordings that are about to be deleted. */
const leaving = signal(/** @type {ReadonlySet<string>} */ (new Set()));
/** Where the reader was, by the entry of the history; the row that was opened takes the focus again. */
export const place = { entry: 0, scrolled: 0, opened: '' };

/** What is shown. @type {import('@preact/signals').ReadonlySignal<Listed>} */
export const list = computed(() => {
  const { rows, total, ...state } = listed.value;
  if (leaving.value.size === 0) return listed.value;
  const shown = rows.filter(({ id }) => !leaving.value.has(id));
  return { ...state, rows: shown, total: total - (rows.length - shown.length) };
});

/** @type {Query} */
let query = {};
let reading = new AbortController();
/** What happened while a page was being read, which may not know of it. @type {StreamedEvent[]} */
const missed = [];
let isFollowing = false;

/** Shows the recordings that match; those that are shown already stay. @param {string} key @param {Query} next */
export function show(key, next) {
  if (!isFollowing) onEvent(follow);
  isFollowing = true;
  if (key === listed.peek().key && listed.peek().cursor !== undefined) return;
  query = next;
  listed.value = { key, rows: [], total: 0, isLoading: true };
  void read();
}

/** Loads the next page, unless one is being loaded. */
export function more() {
  const { cursor, isLoading } = listed.peek();
  if (!isLoading && cursor !== null) void read(cursor);
}

/** @param {string} [after] the cursor; without, all is replaced */
async function read(after) {
  reading.abort();
  reading = new AbortController();
  const ending = reading.signal;
  listed.value = { ...listed.peek(), isLoading: true, error: undefined };
  try {
    const asked = { ...query, limit: PAGE, ...(after && { cursor: after }) };
    const { data, pagination } = await api.page('/recordings', { query: asked, signal: ending });
    if (ending.aborted) return;
    const before = after ? listed.peek().rows : [];
    const rows = [...before, ...data.map(slim)];
    const cursor = 'next_cursor' in pagination ? pagination.next_cursor : null;
    batch(() => {
      listed.value = { ...listed.peek(), rows, cursor, total: pagination.total, isLoading: false };
      for (const event of missed.splice(0)) follow(event);
    });
  } catch (error) {
    if (!ending.aborted) listed.value = { ...listed.peek(), isLoading: false, error };
  }
}

/** Without what rows do not need: there may be very many. @param {Schemas['RecordingListItem']} recording @returns {Row} */
const slim = ({ capabilities, capabilityReasons, ...row }) => row;

/** @param {StreamedEvent} event */
function follow(event) {
  if (listed.peek().isLoading) missed.push(event);
  const { type, data } = event;
  const id = recordingIdOf(event);
  if (CHANGES_SIGHT.test(type) && (!('user_id' in data) || [null, me.peek()?.id].includes(data.user_id)))
    void read();
  if (!id || !('recording' in data)) return;
  if (!data.recording || !isInPlace(data.recording)) return remove([id]);
  if (listed.peek().rows.some((row) => row.id === id)) update([data.recording]);
  else insert(data.recording);
}

/** Shows rows as they are now, where they are. @param {readonly Row[]} recordings */
export function update(recordings) {
  const byId = new Map(recordings.map((one) => [one.id, one]));
  const rows = listed.peek().rows.map((row) => byId.get(row.id) ?? row);
  listed.value = { ...listed.peek(), rows };
}

/** What has been done to recordings here; one that is elsewhere now is no longer shown. @param {readonly string[]} ids @param {Partial<Row>} values */
export function change(ids, values) {
  const changed = new Set(ids);
  const rows = listed.peek().rows.map((row) => (changed.has(row.id) ? { ...row, ...values } : row));
  listed.value = { ...listed.peek(), rows };
  remove(rows.filter((row) => changed.has(row.id) && !isInPlace(row)).map(({ id }) => id));
}

/** @param {readonly string[]} ids */
export function remove(ids) {
  const removed = new Set(ids);
  const { rows, total, ...state } = listed.peek();
  const rest = rows.filter(({ id }) => !removed.has(id));
  if (rest.length < rows.length)
    listed.value = { ...state, rows: rest, total: total - (rows.length - rest.length) };
}

/** Hides recordings, or shows them again. @param {readonly string[]} ids @param {boolean} isHidden */
export function hide(ids, isHidden) {
  const next = new Set(leaving.peek());
  for (const id of ids) next[isHidden ? 'add' : 'delete'](id);
  leaving.value = next;
}

/** Where it belongs among those that have been loaded: the newest first. @param {Row} recording */
function insert(recording) {
  const { rows, cursor, total, ...state } = listed.peek();
  if (cursor === undefined || !isMatch(recording)) return;
  const index = rows.findIndex(({ createdAt }) => createdAt < recording.createdAt);
  // A later page has it.
  if (index < 0 && cursor !== null) return;
  const at = index < 0 ? rows.length : index;
  const next = [...rows.slice(0, at), recording, ...rows.slice(at)];
  listed.value = { ...state, rows: next, cursor, total: total + 1 };
}

/** @param {Pick<Row, 'organizationId' | 'folderId'>} recording */
const isInPlace = ({ organizationId, folderId }) =>
  (!query.organization_id || organizationId === query.organization_id) &&
  (!query.folder_id || folderId === query.folder_id);

/** Recordings that are shown stay when their status no longer matches; others begin to be shown if it does. @param {Row} recording */
const isMatch = ({ status, createdAt }) =>
  (!query.status || query.status.includes(status)) &&
  (!query.date_from || createdAt >= query.date_from) &&
  (!query.date_to || createdAt <= query.date_to);
