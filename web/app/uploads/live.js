import { add, change, find, lockOf, remove, run, sources, titleOf } from './queue.js';
import { KeptSource } from './source.js';
import { store } from './store.js';

/** @import { Destination } from './queue.js' */

/** Begins to send a recording that has only begun: `add` what is recorded, then `end`. @param {{ title: string } & Destination} fields */
export function beginRecording(fields) {
  const { id } = add({
    ...fields,
    title: titleOf(fields.title),
    size: null,
    isLive: true,
    state: 'recording',
  });
  const source = new KeptSource([], { size: null, hasEnded: false });
  sources.set(id, source);
  let keeping = change(id, { isKept: true });
  void navigator.locks.request(lockOf(id), () => run(id, source));
  const keep = async (/** @type {Blob} */ chunk) => {
    const index = source.add(chunk);
    try {
      await store.putChunk(id, index, chunk);
      source.set(index, await store.chunk(id, index));
    } catch {
      // The disk is full: what is recorded stays in memory until it has been sent.
      if (find(id)?.isKept) await change(id, { isKept: false });
    }
    return true;
  };
  return {
    id,
    /** @param {Blob} chunk */
    add(chunk) {
      keeping = keeping.then(() => keep(chunk));
    },
    async end() {
      await keeping;
      const upload = find(id);
      if (!upload) return;
      source.end();
      if (source.length === 0) return remove(upload);
      await change(id, { state: upload.problem ? 'failed' : 'finishing' });
    },
    get length() {
      return source.length;
    },
  };
}
