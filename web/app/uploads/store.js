// What the browser keeps until the service has all of it: uploads, their files, and the chunks of recordings.

/** @import { BegunUpload } from 'meeting-recording-client' */

/**
 * An upload, as it is kept. `size`: null for a recording, whose end is not known when it begins; `key`: what it begins is begun once;
 * `recording`: whose media it replaces, after the service closed an earlier upload too soon; `isKept`: whether it survives a reload.
 * @typedef {{
 *   id: string, user: string, isLive: boolean, title: string, size: number | null, addedAt: number, key: string,
 *   state: 'waiting' | 'recording' | 'finishing' | 'paused' | 'failed' | 'missing' | 'done', sent: number, isKept: boolean,
 *   organizationId?: string, folderId?: string, begun?: BegunUpload, recording?: string, problem?: string,
 * }} Upload
 */

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('library', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('uploads', { keyPath: 'id' });
      request.result.createObjectStore('files');
      request.result.createObjectStore('chunks');
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
  return opened;
}

/** @template T @param {'uploads' | 'files' | 'chunks'} name @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act @returns {Promise<T>} */
async function use(name, mode, act) {
  const transaction = (await open()).transaction(name, mode);
  const request = act(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(request.result));
    // Also when the disk is full, which shows only at the end.
    transaction.addEventListener('abort', () => reject(transaction.error));
  });
}

/** Chunks of one recording, in order. @param {string} id */
const chunksOf = (id) => IDBKeyRange.bound([id], [id, []]);

export const store = {
  /** @returns {Promise<Upload[]>} */
  uploads: () => use('uploads', 'readonly', (all) => all.getAll()),
  /** @param {Upload} upload */
  put: (upload) => use('uploads', 'readwrite', (all) => all.put(upload)),
  /** @param {string} id @returns {Promise<File | undefined>} */
  file: (id) => use('files', 'readonly', (all) => all.get(id)),
  /** @param {string} id @param {File} file */
  putFile: (id, file) => use('files', 'readwrite', (all) => all.put(file, id)),
  /** @param {string} id @returns {Promise<Blob[]>} */
  chunks: (id) => use('chunks', 'readonly', (all) => all.getAll(chunksOf(id))),
  /** @param {string} id @param {number} index @param {Blob} chunk */
  putChunk: (id, index, chunk) => use('chunks', 'readwrite', (all) => all.put(chunk, [id, index])),
  /** @param {string} id @param {number} index @returns {Promise<Blob>} */
  chunk: (id, index) => use('chunks', 'readonly', (all) => all.get([id, index])),
  /** All that is kept of an upload. @param {string} id */
  remove: (id) =>
    Promise.all([
      use('uploads', 'readwrite', (all) => all.delete(id)),
      use('files', 'readwrite', (all) => all.delete(id)),
      use('chunks', 'readwrite', (all) => all.delete(chunksOf(id))),
    ]),
};

/** Identifies an upload, or what it begins. Not `crypto.randomUUID`, which browsers have only on pages from `https`. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
