import {
  ApiError,
  ConflictError,
  ConnectionError,
  RecordingFailedError,
  TimeoutError,
} from 'meeting-recording-client';
import { api, explain, hasEnded } from '../api.js';
import { t } from '../text.js';
import { UPLOADS } from '../texts/uploads.js';
import { change, find, withdraw } from './queue.js';
import { newKey } from './store.js';

/** @import { KeptSource } from './source.js' */
/** @import { Upload } from './store.js' */

/** Until an attempt after one that failed. */
const RETRY_MS = 1_000;

const isUnreachable = (/** @type {unknown} */ error) =>
  error instanceof ConnectionError || error instanceof TimeoutError;
/** Whether it can go on later as it is. @param {unknown} error */
const isPassing = (error) =>
  isUnreachable(error) ||
  (error instanceof ApiError &&
    (/^(401|408|429|5..)$/.test(String(error.status)) || error.code === 'INVALID_REPLY'));

/** Sends all of a source, however long it takes: rejects only if the service refuses it, or by the signal. @param {string} id @param {KeptSource} source @param {AbortSignal} signal */
export async function deliver(id, source, signal) {
  source.rewind();
  for (let upload = find(id); upload; upload = find(id)) {
    try {
      await api.upload(source, { ...optionsOf(upload), signal });
    } catch (error) {
      const isClosed = error instanceof RecordingFailedError && !source.isComplete(find(id)?.sent ?? 0);
      // What the service makes of what it had comes first.
      const isBusy = error instanceof ConflictError && Boolean(upload.recording);
      if (signal.aborted || !(isClosed || isBusy || isPassing(error))) throw error;
      if (!isClosed) {
        // The same key would get the same answer.
        await change(id, isBusy ? { key: newKey(), delay: t(UPLOADS.busy) } : { delay: reasonOf(error) });
        await passed(signal);
        continue;
      }
    }
    const { sent = 0, begun, recording = begun?.id } = find(id) ?? {};
    if (source.isComplete(sent)) return;
    // The service has closed it, as after an hour without a byte, and made a recording of what it had: that gets all of it.
    await change(id, { begun: undefined, recording, key: newKey(), sent: 0 });
  }
}

/** @param {Upload} upload */
function optionsOf({ id, title, organizationId, folderId, recording, begun, key }) {
  return {
    ...(recording
      ? { recording }
      : { title, organization_id: organizationId || undefined, folder_id: folderId || undefined }),
    idempotencyKey: key,
    resume: begun,
    // What takes longer is tried again here, and said.
    retries: 1,
    onBegin: async (/** @type {{ id: string, upload_url: string }} */ begins) => {
      // Canceled before the service replied.
      if (!(await change(id, { begun: begins }))) await withdraw(begins.id);
    },
    onProgress: (/** @type {{ sent: number }} */ { sent }) => void change(id, { sent, delay: undefined }),
  };
}

/** @param {unknown} error */
function reasonOf(error) {
  if (hasEnded.value) return t(UPLOADS.noSession);
  return isUnreachable(error) ? t(UPLOADS.noConnection) : explain(error);
}

/** Resolves after some seconds, once somebody is signed in. @param {AbortSignal} signal */
async function passed(signal) {
  do {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    signal.throwIfAborted();
  } while (hasEnded.value);
}

/** What is noted of an upload that the service refuses. @param {unknown} error @returns {Partial<Upload>} */
export function problemOf(error) {
  const problem = error instanceof RecordingFailedError ? error.message : explain(error);
  // There is nothing to continue: another attempt begins anew.
  const isOver =
    error instanceof RecordingFailedError || (error instanceof ApiError && [404, 415].includes(error.status));
  // A new key, as the same one would get the same answer.
  return { problem, key: newKey(), ...(isOver && { begun: undefined, recording: undefined, sent: 0 }) };
}
