import { ApiError } from 'meeting-recording-client';
import { api } from '../api.js';

/** @import { RecordingSource } from '../../share/scripts/types.js' */

/** Whether an error says that a recording cannot be opened: deleted, no access, or no subscription. @param {unknown} error */
export const isClosing = (error) => error instanceof ApiError && [402, 403, 404].includes(error.status);

/** A recording of the API, for the components that are shared with share pages. @implements {RecordingSource} */
export class ApiSource extends EventTarget {
  #path;
  #signal;
  isClosed = false;
  /** Access has no time at which it ends. */
  expiresAt = Infinity;

  /** @param {string} id @param {AbortSignal} signal closes it */
  constructor(id, signal) {
    super();
    this.#path = { id };
    this.#signal = signal;
    signal.addEventListener('abort', () => this.close());
  }

  async fetchRecording() {
    try {
      return await api.get('/recordings/{id}', { path: this.#path, signal: this.#signal });
    } catch (error) {
      if (isClosing(error)) this.close();
      return null;
    }
  }

  /** @param {number} startChunk @param {number} chunks */
  async fetchTranscript(startChunk, chunks) {
    const query = { start_chunk: startChunk, limit: chunks };
    const call = { path: this.#path, query, signal: this.#signal };
    // That it failed is said by who asked.
    return api.get('/recordings/{id}/transcript', call).catch(() => null);
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.dispatchEvent(new Event('closed'));
  }
}
