// Of all tabs, one sends what is uploaded; recordings are sent by the tab that makes them.
import { effect } from '@preact/signals';
import { me } from '../session.js';
import { t } from '../text.js';
import { UPLOADS } from '../texts/uploads.js';
import { say } from '../ui/toast.js';
import { deliver, problemOf } from './deliver.js';
import { change, find, remove, sources, startQueue, uploads } from './queue.js';
import { KeptSource } from './source.js';
import { store } from './store.js';

/** @import { Upload } from './store.js' */

const AT_ONCE = 2;
const running = /** @type {Map<string, AbortController>} */ (new Map());
/** Recordings of which this tab notices when their tab is gone. */
const guarded = /** @type {Set<string>} */ (new Set());
let isLeading = false;

/** What only the tab that records can send, as long as it is there. @param {Upload} upload */
const isOfRecorder = ({ state, isLive, isKept }) =>
  isLive && (state === 'recording' || state === 'finishing' || !isKept);
/** Held by the tab that records. @param {string} id */
export const lockOf = (id) => `library.recording.${id}`;

/** Lists uploads, also those of earlier visits, and sends them unless another tab does. */
export async function startUploads() {
  const name = `library.uploads.${me.value?.id}`;
  await startQueue(name, () => isLeading);
  effect(pump);
  const lead = () => {
    isLeading = true;
    pump();
    return new Promise(() => {});
  };
  // Without locks, as on plain HTTP, every tab sends; the service then refuses what another one is sending.
  await (navigator.locks ? navigator.locks.request(name, lead) : lead());
}

/** Sends what waits, a few at once, and no longer what is paused or gone. */
function pump() {
  for (const [id, stop] of running) if ((find(id)?.state ?? 'paused') === 'paused') stop.abort();
  for (const upload of uploads.value.values()) {
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
    if ((await store.parts(id)).length === 0) return remove(upload);
    say({ text: t(UPLOADS.interrupted, { title: upload.title }) }, 15_000);
    await change(id, { state: 'waiting', isKept: true });
  });
}

/** Sends one to its end. @param {string} id */
export async function run(id) {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const source = await open(id);
    if (!source) return await change(id, { state: 'missing' });
    await deliver(id, source, stop.signal);
    await change(id, { state: 'done', sent: source.length });
    sources.delete(id);
  } catch (error) {
    if (stop.signal.aborted) return;
    // The file was changed or removed: the browser may have a copy of it.
    if (error instanceof DOMException && error.name === 'NotReadableError' && sources.delete(id))
      await change(id, { state: 'waiting' });
    else
      await change(id, { ...problemOf(error), ...(find(id)?.state !== 'recording' && { state: 'failed' }) });
  } finally {
    running.delete(id);
    pump();
  }
}

/** What is here of an upload; undefined if nothing is, or the file has been changed or removed since. @param {string} id */
async function open(id) {
  const source = sources.get(id);
  if (await source?.isReadable()) return source;
  const parts = await store.parts(id).catch(() => []);
  const kept = new KeptSource(parts, { size: find(id)?.size ?? null, hasEnded: true });
  if (parts.length > 0 && (await kept.isReadable())) return kept;
}

/** All that is here of a recording, to save it elsewhere. @param {string} id */
export const wholeOf = async (id) => (await open(id))?.whole();
