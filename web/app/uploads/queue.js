// Uploads of all tabs: one of them sends, all of them show how far it is.
import { signal } from '@preact/signals';
import { me } from '../session.js';
import { t } from '../text.js';
import { UPLOADS } from '../texts/uploads.js';
import { say } from '../ui/toast.js';
import { deliver, problemOf, withdraw } from './deliver.js';
import { KeptSource } from './source.js';
import { newKey, store } from './store.js';

/** @import { Upload } from './store.js' */
/** @typedef {{ organizationId?: string, folderId?: string }} Destination Personal without an organization. */
/** @typedef {{ added?: Upload, file?: File, changed?: readonly [id: string, fields: Partial<Upload>], gone?: string, delayed?: readonly [id: string, why: string] }} Message */

/** @type {import('@preact/signals').Signal<readonly Upload[]>} */
export const uploads = signal([]);
/** Why an upload does not go on at the moment, by its id. */
export const delays = signal(/** @type {Readonly<Record<string, string>>} */ ({}));
/** What is read aloud. */
export const announced = signal('');

const AT_ONCE = 2;
/** What this page has in memory, by the id of the upload. */
const files = /** @type {Map<string, File>} */ (new Map());
/** The same of what was recorded here. */
export const sources = /** @type {Map<string, KeptSource>} */ (new Map());
const running = /** @type {Map<string, AbortController>} */ (new Map());
/** Recordings of which this tab notices when their tab is gone. */
const guarded = /** @type {Set<string>} */ (new Set());
let isLeading = false;
/** Tells the other tabs. @type {(message: Message) => void} */
let post = () => {};

/** @param {string} id */
export const find = (id) => uploads.value.find((one) => one.id === id);
/** What only the tab that records can send, as long as it is there. @param {Upload} upload */
const isOfRecorder = ({ state, isLive, isKept }) =>
  isLive && (state === 'recording' || state === 'finishing' || !isKept);
/** Held by the tab that records. @param {string} id */
export const lockOf = (id) => `library.recording.${id}`;

/** Shows what is kept from earlier visits, and continues it unless another tab does. */
export async function startUploads() {
  const name = `library.uploads.${me.value?.id}`;
  const channel = new BroadcastChannel(name);
  post = channel.postMessage.bind(channel);
  channel.addEventListener('message', ({ data }) => receive(data));
  await load();
  // Without locks, as on plain HTTP, every tab sends; the service then refuses what another one is sending.
  if (!navigator.locks) return lead();
  const leading = () => lead().then(() => new Promise(() => {}));
  await navigator.locks.request(name, leading);
}

async function load() {
  // Without a place to keep uploads, there are none from before.
  const kept = await store.uploads().catch(() => []);
  for (const upload of kept) if (upload.user === me.value?.id && !running.has(upload.id)) show(upload);
}

async function lead() {
  await load();
  isLeading = true;
  pump();
}

/** @param {Message} message */
function receive({ added, file, changed, gone, delayed }) {
  if (added && file) files.set(added.id, file);
  if (added) show(added);
  // Kept by both, as each may have been about to keep something else.
  if (changed) void apply(...changed, isLeading);
  if (delayed) showDelay(...delayed);
  if (gone) forget(gone);
  pump();
}

/** @param {Upload} upload */
function show(upload) {
  const before = find(upload.id);
  if (before?.state !== upload.state) {
    if (before && upload.state === 'done') announced.value = t(UPLOADS.doneAloud, { title: upload.title });
    if (upload.state === 'failed')
      announced.value = `${t(UPLOADS.failedAloud, { title: upload.title })} ${upload.problem}`;
    if (upload.state === 'paused') running.get(upload.id)?.abort();
  }
  uploads.value = before
    ? uploads.peek().map((one) => (one === before ? upload : one))
    : [...uploads.peek(), upload].sort((one, other) => one.addedAt - other.addedAt);
}

/** @param {string} id @param {string} why */
function showDelay(id, why) {
  delays.value = { ...delays.peek(), [id]: why };
}

/** Says why an upload does not go on; empty: it does. @param {string} id @param {string} why */
export function delay(id, why) {
  if ((delays.peek()[id] ?? '') === why) return;
  showDelay(id, why);
  post({ delayed: [id, why] });
}

/** Everywhere, and in what is kept; returns whether it is still there. @param {string} id @param {Partial<Upload>} fields */
export async function change(id, fields) {
  post({ changed: [id, fields] });
  return apply(id, fields, true);
}

/** @param {string} id @param {Partial<Upload>} fields @param {boolean} keeps */
async function apply(id, fields, keeps) {
  const before = find(id);
  if (!before) return false;
  const upload = { ...before, ...fields };
  show(upload);
  pump();
  if (!keeps) return true;
  if (upload.state === 'done') await store.remove(id).catch(() => undefined);
  // What cannot be kept does not count as kept; the page then warns before it is left.
  else await store.put(upload).catch(() => show({ ...upload, isKept: false }));
  return true;
}

/** Adds an upload to the list. @param {Pick<Upload, 'title' | 'size' | 'isLive' | 'state'> & { id?: string } & Destination} fields @param {File} [file] */
export function add(fields, file) {
  const upload = {
    id: newKey(),
    ...fields,
    key: newKey(),
    user: me.value?.id ?? '',
    addedAt: Date.now(),
    sent: 0,
    isKept: false,
  };
  show(upload);
  post({ added: upload, file });
  return upload;
}

/** @param {readonly File[]} chosen @param {Destination} destination */
export async function addFiles(chosen, destination) {
  announced.value = t(UPLOADS.begunAloud, { n: chosen.length, title: chosen[0]?.name ?? '' });
  const added = chosen.map((file) => {
    const upload = add(
      { ...destination, title: titleOf(file.name), size: file.size, isLive: false, state: 'waiting' },
      file,
    );
    files.set(upload.id, file);
    return upload;
  });
  pump();
  await Promise.all(added.map(({ id }) => change(id, {})));
  for (const { id } of added) await keepFile(id);
}

/** Titles have no control characters, and at most 500 others. @param {string} name */
export const titleOf = (name) =>
  [...name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, 500).join('') || t(UPLOADS.untitled);

/** @param {string} id */
async function keepFile(id) {
  const file = files.get(id);
  const isKept = await store.putFile(id, /** @type {File} */ (file)).then(
    () => true,
    () => false,
  );
  // Finished or canceled meanwhile.
  if (!(await change(id, { isKept })) || find(id)?.state === 'done') await store.remove(id);
}

/** Takes the same file again, which the browser could not keep; returns whether it is the same. @param {Upload} upload @param {File} file */
export function giveAgain(upload, file) {
  if (titleOf(file.name) !== upload.title || file.size !== upload.size) return false;
  files.set(upload.id, file);
  post({ added: upload, file });
  void change(upload.id, { state: 'waiting' }).then(() => keepFile(upload.id));
  return true;
}

/** @param {string} id */
export const pause = (id) => change(id, { state: 'paused' });
/** Continues, or tries again. @param {string} id */
export const resume = (id) => change(id, { state: 'waiting', problem: undefined });

/** Ends an upload and removes its recording, or takes a finished one off the list. @param {Upload} upload */
export async function remove(upload) {
  forget(upload.id);
  post({ gone: upload.id });
  if (upload.begun && upload.state !== 'done') await withdraw(upload.begun.id);
}

/** @param {string} id */
function forget(id) {
  uploads.value = uploads.peek().filter((one) => one.id !== id);
  running.get(id)?.abort();
  files.delete(id);
  sources.delete(id);
  // Again in the tab that was sending it, which may have noted how far it was.
  store.remove(id).catch(() => undefined);
}

/** Sends what waits, a few at once. */
function pump() {
  for (const upload of uploads.peek()) {
    const { id, state, isLive, isKept } = upload;
    if (isOfRecorder(upload) && isLeading && !guarded.has(id)) guard(id);
    // What only one tab has, only that can send.
    const isOurs = isLive && !isKept ? sources.has(id) : isLeading;
    if (state === 'waiting' && isOurs && !running.has(id) && running.size < AT_ONCE) void run(id);
  }
}

/** A recording whose tab is gone is sent by this one. @param {string} id */
function guard(id) {
  guarded.add(id);
  void navigator.locks.request(lockOf(id), async () => {
    const upload = find(id);
    if (!upload || !isOfRecorder(upload)) return;
    const chunks = await store.chunks(id);
    if (chunks.length === 0) return remove(upload);
    say({ text: t(UPLOADS.interrupted, { title: upload.title }) }, 15_000);
    await change(id, { state: 'waiting', isKept: true });
  });
}

/** Sends one to its end. @param {string} id @param {KeptSource} [source] */
export async function run(id, source) {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const opened = source ?? sources.get(id) ?? (await open(id));
    if (!opened) return await change(id, { state: 'missing' });
    const watched = {
      current: () => find(id),
      change: (/** @type {Partial<Upload>} */ fields) => change(id, fields),
      delay: (/** @type {string} */ why) => delay(id, why),
    };
    await deliver(watched, opened, stop.signal);
    if (await change(id, { state: 'done', sent: opened.length })) files.delete(id);
  } catch (error) {
    if (stop.signal.aborted) return;
    // The file was changed or removed: the browser may have a copy of it.
    const isUnreadable =
      error instanceof DOMException && error.name === 'NotReadableError' && files.delete(id);
    if (isUnreadable) await change(id, { state: 'waiting' });
    else
      await change(id, { ...problemOf(error), ...(find(id)?.state !== 'recording' && { state: 'failed' }) });
  } finally {
    if (find(id)?.state === 'done') sources.delete(id);
    running.delete(id);
    delay(id, '');
    pump();
  }
}

/** What is kept of an upload; undefined if nothing is, or the file has been changed or removed since. @param {string} id */
async function open(id) {
  const upload = find(id);
  if (upload?.isLive) return new KeptSource(await store.chunks(id), { size: null, hasEnded: true });
  for (const file of [files.get(id), await store.file(id).catch(() => undefined)])
    if (file && (await isReadable(file))) return new KeptSource([file], { size: file.size, hasEnded: true });
}

const isReadable = (/** @type {File} */ file) =>
  file
    .slice(-1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** All that is here of a recording, to save it elsewhere. @param {string} id */
export const wholeOf = async (id) => (sources.get(id) ?? (await open(id)))?.whole();

/** Only what is being recorded, and what the browser could not keep. @param {Upload} upload */
const isLosable = ({ id, state, isKept }) =>
  state !== 'done' &&
  (state === 'recording' ? sources.has(id) : !isKept && (files.has(id) || sources.has(id)));

addEventListener('beforeunload', (event) => {
  if (uploads.peek().some(isLosable)) event.preventDefault();
});
