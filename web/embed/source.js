import { pathOf } from '../share/scripts/media.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { RecordingSource, TranscriptPart } from '../share/scripts/types.js' */
/** @import { Refusal } from './types.js' */

/**
 * What a recording and a share link have in common; `words` null: the transcript is withheld.
 * @typedef {object} Opened
 * @property {Schemas['SharedRecording'] & { isLocked?: boolean }} recording
 * @property {readonly Schemas['Topic'][]} topics
 * @property {{ status: string, language: string | null, duration: number } | null} words
 */
/** @typedef {{ token: () => string, signal: AbortSignal, onRefused: (refusal: Refusal) => void }} SourceOptions */

const CHUNKS = 100;
/** Replies that say that a recording cannot be opened; that only its transcript is withheld is known beforehand. */
const CLOSING = new Set([402, 403, 404, 410]);
const ADDRESS = /^(https?:\/\/[^?#]+?)\/(api\/v1\/recordings|s)\/([\w.~-]+)\/?(?:[?#].*)?$/;
const INVALID_SRC = 'src must be https://HOST/api/v1/recordings/ID or https://HOST/s/TOKEN';
const UNREACHABLE = 'The service cannot be reached, or does not allow the origin of the page.';

/** A recording or share link of a service elsewhere. @implements {RecordingSource} */
export class RemoteSource extends EventTarget {
  isClosed = false;
  /** Access has no time at which it ends. */
  expiresAt = Infinity;
  #url;
  #isLink;
  #options;
  #access = '';
  /** @type {TranscriptPart | null} With which a link was opened. */
  #first = null;

  /** @param {string} src @param {SourceOptions} options `signal` closes it; `onRefused` is called for each call that fails */
  constructor(src, options) {
    super();
    const [, service, kind, id] = ADDRESS.exec(src) ?? [];
    this.#isLink = kind === 's';
    this.#url = service ? `${service}/api/v1/${this.#isLink ? 'shares' : 'recordings'}/${id}` : null;
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#close());
  }

  /** A URL of the service at the host of `src`: the service may know another one. @param {string | null | undefined} url */
  addressOf = (url) => (url ? new URL(pathOf(url) ?? '', this.#url ?? '').href : null);

  /** Null if it fails, or if there is no token yet. @param {string} password @returns {Promise<Opened | null>} */
  async open(password) {
    if (this.#url && !this.#isLink && !this.#options.token()) return null;
    if (password && this.#isLink) {
      const access = await this.#call('/access', JSON.stringify({ password }));
      if (!access) return null;
      this.#access = access.access_token;
    }
    const data = await this.#call(this.#isLink ? `?start_chunk=0&limit=${CHUNKS}` : '');
    if (!data) return null;
    const { recording = data, transcript = null, summary, capabilities } = data;
    this.#first = transcript;
    const words = this.#isLink ? transcript : capabilities.canViewTranscription ? data.transcription : null;
    return { recording, topics: summary?.topics ?? [], words };
  }

  async fetchRecording() {
    // From another chunk than the first, a link does not count as viewed.
    return this.#isLink ? (await this.#call('?start_chunk=1&limit=1'))?.recording : this.#call('');
  }

  /** @param {number} startChunk @param {number} limit @returns {Promise<TranscriptPart | null>} */
  async fetchTranscript(startChunk, limit) {
    if (startChunk === 0 && this.#first) return this.#first;
    const query = `?start_chunk=${startChunk}&limit=${limit}`;
    return this.#isLink ? (await this.#call(query))?.transcript : this.#call(`/transcript${query}`);
  }

  /** The `data` of the reply; null if it fails. @param {string} path @param {string} [body] */
  async #call(path, body) {
    const { token, signal } = this.#options;
    if (!this.#url) return this.#refuse({ code: 'INVALID_SRC', status: 0, message: INVALID_SRC }, true);
    const headers = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(!this.#isLink && { Authorization: `Bearer ${token()}` }),
      ...(this.#access && { 'X-Share-Access': this.#access }),
    };
    try {
      const reply = await fetch(this.#url + path, {
        headers,
        signal,
        ...(body !== undefined && { method: 'POST', body }),
        cache: 'no-store',
        // The token is for this service only, and alone.
        redirect: 'error',
        credentials: 'omit',
      });
      const { data, error } = await reply.json();
      if (reply.ok) return data;
      return this.#refuse({ ...error, status: reply.status }, CLOSING.has(reply.status));
    } catch {
      return this.#refuse({ code: 'CONNECTION', status: 0, message: UNREACHABLE }, false);
    }
  }

  /** @param {Refusal} refusal @param {boolean} isFinal */
  #refuse(refusal, isFinal) {
    const { signal, onRefused } = this.#options;
    if (signal.aborted) return null;
    if (isFinal) this.#close();
    onRefused(refusal);
    return null;
  }

  #close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.dispatchEvent(new Event('closed'));
  }
}
