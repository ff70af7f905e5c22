import { add, change, find, remove, sources } from './queue.js';
import { lockOf, run } from './sending.js';
import { KeptSource } from './source.js';
import { newKey, store } from './store.js';

/** @import { Place } from '../ui/place-fields.js' */

/** Begins to send a recording that has only begun: `add` what is recorded, then `end`. @param {{ title: string } & Place} fields */
export function beginRecording(fields) {
  const id = newKey();
  const source = new KeptSource([], { size: null, hasEnded: false });
  sources.set(id, source);
  /** @type {(value?: unknown) => void} */
  let release;
  const ended = new Promise((resolve) => (release = resolve));
  // Listed only once its lock is held: other tabs take over what has none.
  let keeping = new Promise((resolve) => {
    void navigator.locks.request(lockOf(id), async () => {
      resolve(add({ ...fields, id, size: null, isLive: true, isKept: true, state: 'recording' }));
      await run(id);
      // Also if it is refused meanwhile: there is more to come, or others would have only a part of it.
      await ended;
      if (find(id)?.isKept === false) await new Promise(() => {});
    });
  });
  const keep = async (/** @type {Blob} */ chunk) => {
    const index = source.add(chunk);
    // Once one is missing, those after it are of no use.
    if (!find(id)?.isKept) return;
    try {
      source.set(index, await store.putPart(id, index, chunk));
    } catch {
      // The disk is full: what is recorded stays in memory until it has been sent.
      await change(id, { isKept: false });
    }
  };
  return {
    id,
    source,
    /** @param {Blob} chunk */
    add(chunk) {
      keeping = keeping.then(() => keep(chunk));
    },
    async end() {
      await keeping;
      source.end();
      const upload = find(id);
      if (upload && source.length === 0) await remove(upload);
      else await change(id, { state: upload?.problem ? 'failed' : 'finishing' });
      release();
    },
  };
}
