import {
  ApiError,
  ConflictError,
  ConnectionError,
  RecordingFailedError,
  TimeoutError,
} from 'meeting-recording-client';
import { api, explain, hasEnded } from '../api.js';
import { t } from '../text.js';
import { PROBLEMS, UPLOADS } from '../texts/uploads.js';
import { newKey } from './store.js';

/** @import { KeptSource } from './source.js' */
/** @import { Upload } from './store.js' */
/** @typedef {{ current: () => Upload | undefined, change: (fields: Partial<Upload>) => Promise<boolean>, delay: (why: string) => void }} Watched An upload that may change or go meanwhile. */

/** So often is tried again what the browser does not say. */
const RETRY_MS = 5_000;

const isUnreachable = (/** @type {unknown} */ error) =>
  error instanceof ConnectionError || error instanceof TimeoutError;
/** Whether it can go on later as it is. @param {unknown} error */
const isPassing = (error) =>
  isUnreachable(error) ||
  (error instanceof ApiError &&
    (/^(401|408|429|5..)$/.test(String(error.status)) || error.code === 'INVALID_REPLY'));

/** Sends all of a source, however long it takes: rejects only if the service refuses it, or by the signal. @param {Watched} watched @param {KeptSource} source @param {AbortSignal} signal */
export async function deliver(watched, source, signal) {
  const { current, change, delay } = watched;
  source.rewind();
  for (let upload = current(); upload; upload = current()) {
    try {
      await api.upload(source, { ...optionsOf(upload, watched), signal });
    } catch (error) {
      const isClosed = error instanceof RecordingFailedError && !source.isComplete(current()?.sent ?? 0);
      // What the service makes of what it had comes first.
      const isBusy = error instanceof ConflictError && Boolean(upload.recording);
      if (signal.aborted || !(isClosed || isBusy || isPassing(error))) throw error;
      if (!isClosed) {
        // The same key would get the same answer.
        if (isBusy) await change({ key: newKey() });
        delay(isBusy ? t(UPLOADS.busy) : reasonOf(error));
        await passed(signal);
        continue;
      }
    }
    const { sent = 0, begun, recording = begun?.id } = current() ?? {};
    if (source.isComplete(sent)) return;
    // The service has closed it, as after an hour without a byte, and made a recording of what it had: that gets all of it.
    await change({ begun: undefined, recording, key: newKey(), sent: 0 });
  }
}

/** @param {Upload} upload @param {Watched} watched */
function optionsOf({ title, organizationId, folderId, recording, begun, key }, { change, delay }) {
  return {
    ...(recording ? { recording } : { title, organization_id: organizationId, folder_id: folderId }),
    idempotencyKey: key,
    resume: begun,
    onBegin: async (/** @type {{ id: string, upload_url: string }} */ begins) => {
      // Canceled before the service replied.
      if (!(await change({ begun: begins }))) await withdraw(begins.id);
    },
    onProgress: (/** @type {{ sent: number }} */ { sent }) => {
      delay('');
      void change({ sent });
    },
  };
}

/** @param {unknown} error */
function reasonOf(error) {
  if (isUnreachable(error)) return t(UPLOADS.noConnection);
  return error instanceof ApiError && error.status === 401 ? t(UPLOADS.noSession) : explain(error);
}

/** Resolves when the connection is back, after some seconds, or once somebody is signed in again. @param {AbortSignal} signal */
async function passed(signal) {
  do {
    const woken = new AbortController();
    await new Promise((resolve) => {
      for (const [target, type] of /** @type {const} */ ([
        [window, 'online'],
        [signal, 'abort'],
      ]))
        target.addEventListener(type, resolve, { signal: woken.signal });
      setTimeout(resolve, hasEnded.value ? 1_000 : RETRY_MS);
    });
    woken.abort();
    signal.throwIfAborted();
  } while (hasEnded.value);
}

/** What is noted of an upload that the service refuses. @param {unknown} error @returns {Partial<Upload>} */
export function problemOf(error) {
  const known = error instanceof ApiError ? PROBLEMS[error.code] : undefined;
  const problem = known ? t(known) : error instanceof RecordingFailedError ? error.message : explain(error);
  // There is nothing to continue: another attempt begins anew.
  const isOver =
    error instanceof RecordingFailedError || (error instanceof ApiError && [404, 415].includes(error.status));
  // A new key, as the same one would get the same answer.
  return { problem, key: newKey(), ...(isOver && { begun: undefined, recording: undefined, sent: 0 }) };
}

/** Removes what has arrived of an upload. @param {string} id */
export async function withdraw(id) {
  try {
    await api.delete('/uploads/{id}', { path: { id }, header: { 'Tus-Resumable': '1.0.0' } });
  } catch (error) {
    // Otherwise the service closes it by itself, when nothing arrives any more.
    if (!(error instanceof ApiError) && !isUnreachable(error)) throw error;
  }
}
