// The uploads of a user, kept the same in all tabs: each change is sent to the others.
import { signal } from '@preact/signals';
import { api } from '../api.js';
import { me } from '../session.js';
import { t } from '../text.js';
import { UPLOADS } from '../texts/uploads.js';
import { KeptSource } from './source.js';
import { newKey, store } from './store.js';

/** @import { Place } from '../ui/place-fields.js' */
/** @import { Upload } from './store.js' */
/** @typedef {{ id: string, fields: Partial<Upload> | null, file?: File | undefined }} Message `fields`: all of a new upload, what is different of another, or null if it is gone. */

/** By their ids, in the order in which they were added. @type {import('@preact/signals').Signal<ReadonlyMap<string, Upload>>} */
export const uploads = signal(new Map());
/** What this page can send without what is kept, by the id of the upload. */
export const sources = /** @type {Map<string, KeptSource>} */ (new Map());
/** Tells the other tabs. @type {(message: Message) => void} */
let post = () => {};

/** @param {string} id */
export const find = (id) => uploads.value.get(id);

/** Shows what is kept from earlier visits, and what other tabs do. @param {string} name of the channel between tabs @param {() => boolean} keeps whether this one keeps what others change */
export async function startQueue(name, keeps) {
  const channel = new BroadcastChannel(name);
  post = channel.postMessage.bind(channel);
  // Kept by both, as each may have been about to keep something else.
  channel.addEventListener('message', ({ data }) => void apply(data, keeps()));
  // Without a place to keep uploads, there are none from before.
  const kept = await store.uploads().catch(() => []);
  for (const upload of kept.sort((one, other) => one.addedAt - other.addedAt))
    if (upload.user === me.value?.id && !find(upload.id)) show(upload);
}

/** @param {Upload} upload */
function show(upload) {
  uploads.value = new Map(uploads.peek()).set(upload.id, upload);
}

/** Everywhere, and in what is kept; returns whether it is still there. @param {string} id @param {Partial<Upload>} fields @param {File} [file] */
export function change(id, fields, file) {
  const message = { id, fields, file };
  post(message);
  return apply(message, true);
}

/** @param {Message} message @param {boolean} keeps */
async function apply({ id, fields, file }, keeps) {
  if (!fields) return forget(id);
  if (file) sources.set(id, new KeptSource([file], { size: file.size, hasEnded: true }));
  const upload = /** @type {Upload} */ ({ ...uploads.peek().get(id), ...fields });
  // Canceled meanwhile.
  if (!upload.id) return false;
  show(upload);
  if (!keeps) return true;
  if (upload.state === 'done') await store.remove(id).catch(() => undefined);
  // What cannot be kept does not count as kept; the page then warns before it is left.
  else
    await store.put(upload).catch(() => {
      // As it is by then.
      const now = find(id);
      if (now) show({ ...now, isKept: false });
    });
  return true;
}

/** @param {string} id */
function forget(id) {
  const others = new Map(uploads.peek());
  others.delete(id);
  uploads.value = others;
  sources.delete(id);
  // Again in the tab that was sending it, which may have noted how far it was.
  store.remove(id).catch(() => undefined);
  return false;
}

/** Adds an upload. @param {Pick<Upload, 'id' | 'title' | 'size' | 'isLive' | 'isKept' | 'state'> & Place} fields @param {File} [file] */
export function add(fields, file) {
  const title = titleOf(fields.title);
  const user = me.value?.id ?? '';
  return change(fields.id, { ...fields, title, user, key: newKey(), addedAt: Date.now(), sent: 0 }, file);
}

/** @param {readonly File[]} files @param {Place} place */
export async function addFiles(files, place) {
  const added = files.map((file) => {
    const common = /** @type {const} */ ({ isLive: false, isKept: false, state: 'waiting' });
    const upload = { ...place, ...common, id: newKey(), title: file.name, size: file.size };
    void add(upload, file);
    return { id: upload.id, file };
  });
  for (const { id, file } of added) await keepFile(id, file);
}

/** Titles have no control characters, and at most 500 others. @param {string} name */
const titleOf = (name) =>
  [...name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, 500).join('') || t(UPLOADS.untitled);

/** @param {string} id @param {File} file */
async function keepFile(id, file) {
  const isKept = await store.putPart(id, 0, file).then(
    () => true,
    () => false,
  );
  // Finished or canceled meanwhile.
  if (!(await change(id, { isKept })) || find(id)?.state === 'done') await store.remove(id);
}

/** Takes the same file again, which the browser could not keep; returns whether it is the same. @param {Upload} upload @param {File} file */
export function giveAgain({ id, title, size }, file) {
  if (titleOf(file.name) !== title || file.size !== size) return false;
  void change(id, { state: 'waiting' }, file).then(() => keepFile(id, file));
  return true;
}

/** @param {string} id */
export const pause = (id) => change(id, { state: 'paused' });
/** Continues, or tries again. @param {string} id */
export const resume = (id) => change(id, { state: 'waiting', problem: undefined, delay: undefined });

/** Ends an upload and removes its recording, or takes a finished one off the list. @param {Upload} upload */
export async function remove({ id, state, begun }) {
  post({ id, fields: null });
  forget(id);
  if (begun && state !== 'done') await withdraw(begun.id);
}

/** Removes what has arrived of an upload. @param {string} id */
export async function withdraw(id) {
  const header = /** @type {const} */ ({ 'Tus-Resumable': '1.0.0' });
  // Otherwise the service closes it by itself, when nothing arrives any more.
  await api.delete('/uploads/{id}', { path: { id }, header }).catch(() => undefined);
}

/** Only what is being recorded, and what the browser could not keep. @param {Upload} upload */
const isLosable = ({ id, state, isKept }) =>
  sources.has(id) && state !== 'done' && (state === 'recording' || !isKept);

addEventListener('beforeunload', (event) => {
  if ([...uploads.peek().values()].some(isLosable)) event.preventDefault();
});
