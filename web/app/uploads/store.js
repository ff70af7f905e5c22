// What the browser keeps until the service has all of it: uploads, and their parts: a file, or the chunks of a recording.

/** @import { BegunUpload } from 'meeting-recording-client' */

/**
 * An upload, as it is kept. `size`: null for a recording, whose end is not known when it begins; `key`: what it begins is begun once;
 * `recording`: whose media it replaces, after the service closed an earlier upload too soon; `isKept`: whether it survives a reload;
 * `delay`: why it does not go on at the moment; `problem`: why the service refuses it.
 * @typedef {{
 *   id: string, user: string, isLive: boolean, title: string, size: number | null, addedAt: number, key: string,
 *   state: 'waiting' | 'recording' | 'finishing' | 'paused' | 'failed' | 'missing' | 'done', sent: number, isKept: boolean,
 *   organizationId?: string | null, folderId?: string | null, begun?: BegunUpload, recording?: string, delay?: string, problem?: string,
 * }} Upload
 */

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('library', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('uploads', { keyPath: 'id' });
      request.result.createObjectStore('chunks');
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
  return opened;
}

/** @template T @param {'uploads' | 'chunks'} name @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act @returns {Promise<T>} */
async function use(name, mode, act) {
  const transaction = (await open()).transaction(name, mode);
  const request = act(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(request.result));
    // Also when the disk is full, which shows only at the end.
    transaction.addEventListener('abort', () => reject(transaction.error));
  });
}

/** The parts of one upload, in order. @param {string} id */
const partsOf = (id) => IDBKeyRange.bound([id], [id, []]);

export const store = {
  /** @returns {Promise<Upload[]>} */
  uploads: () => use('uploads', 'readonly', (all) => all.getAll()),
  /** @param {Upload} upload */
  put: (upload) => use('uploads', 'readwrite', (all) => all.put(upload)),
  /** @param {string} id @returns {Promise<Blob[]>} */
  parts: (id) => use('chunks', 'readonly', (all) => all.getAll(partsOf(id))),
  /** Returns the part as it is kept, which need not stay in memory. @param {string} id @param {number} index @param {Blob} part @returns {Promise<Blob>} */
  async putPart(id, index, part) {
    await use('chunks', 'readwrite', (all) => all.put(part, [id, index]));
    return use('chunks', 'readonly', (all) => all.get([id, index]));
  },
  /** All that is kept of an upload. @param {string} id */
  async remove(id) {
    await use('uploads', 'readwrite', (all) => all.delete(id));
    await use('chunks', 'readwrite', (all) => all.delete(partsOf(id)));
  },
};

/** Identifies an upload, or what it begins. Not `crypto.randomUUID`, which browsers have only on pages from `https`. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
