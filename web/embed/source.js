/** @import { Schemas } from 'meeting-recording-client' */
/** @import { RecordingSource, TranscriptPart } from '../share/scripts/types.js' */

/**
 * What a recording and a share link have in common; `words` null: the transcript is withheld.
 * @typedef {object} Opened
 * @property {Schemas['SharedRecording'] & { isLocked?: boolean }} recording
 * @property {readonly Schemas['Topic'][]} topics
 * @property {{ status: string, language: string | null, duration: number } | null} words
 */

const CHUNKS = 100;
/** Replies that say that a recording cannot be opened. */
const CLOSING = new Set([402, 403, 404, 410]);
const ADDRESS = /^(https?:\/\/[^?#]+?)\/(api\/v1\/recordings|s)\/([\w.~-]+)\/?(?:[?#].*)?$/;
const UNREACHABLE = 'The service cannot be reached, or does not allow the origin of the page.';

/** Whether it is the URL of a recording or share link. @param {string} src */
export const isAddress = (src) => ADDRESS.test(src);

/**
 * A recording or share link of a service elsewhere. Dispatches `refused` with a `Refusal` for each call that fails.
 * @implements {RecordingSource}
 */
export class RemoteSource extends EventTarget {
  isClosed = false;
  /** Access has no time at which it ends. */
  expiresAt = Infinity;
  #token;
  #url;
  #isLink;
  #signal;
  #access = '';
  /** @type {TranscriptPart | null} With which a link was opened. */
  #first = null;

  /** @param {string} src one that `isAddress` @param {() => string} token @param {AbortSignal} signal closes it */
  constructor(src, token, signal) {
    super();
    const [, service, kind, id] = ADDRESS.exec(src) ?? [];
    this.#isLink = kind === 's';
    this.#url = `${service}/api/v1/${this.#isLink ? 'shares' : 'recordings'}/${id}`;
    this.#token = token;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#close());
  }

  /** A URL of the service at the host of `src`: the service may know another one. @param {string | null | undefined} url */
  addressOf = (url) => (url ? new URL(url.replace(/^https?:\/\/[^/]+/, ''), this.#url).href : null);

  /** Null if it fails. Of a link, `from` 0 counts as a view. @param {number} from @param {string} [password] @returns {Promise<Opened | null>} */
  async open(from, password) {
    if (password && this.#isLink) {
      const access = await this.#call('/access', JSON.stringify({ password }));
      if (!access) return null;
      this.#access = access.access_token;
    }
    const data = await this.#call(this.#isLink ? `?start_chunk=${from}&limit=${CHUNKS}` : '');
    if (!data) return null;
    const { recording = data, transcript, summary, capabilities } = data;
    if (this.#isLink && from === 0) this.#first = transcript;
    const words = this.#isLink ? transcript : capabilities.canViewTranscription ? data.transcription : null;
    return { recording, topics: summary?.topics ?? [], words };
  }

  async fetchRecording() {
    return (await this.open(1))?.recording;
  }

  /** @param {number} startChunk @param {number} limit @returns {Promise<TranscriptPart | null>} */
  async fetchTranscript(startChunk, limit) {
    const first = startChunk === 0 ? this.#first : null;
    this.#first = null;
    if (first) return first;
    const query = `?start_chunk=${startChunk}&limit=${limit}`;
    return this.#isLink ? (await this.#call(query))?.transcript : this.#call(`/transcript${query}`);
  }

  /** The `data` of the reply; null if it fails. @param {string} path @param {string} [body] */
  async #call(path, body) {
    const headers = new Headers(body === undefined ? {} : { 'Content-Type': 'application/json' });
    if (!this.#isLink) headers.set('Authorization', `Bearer ${this.#token()}`);
    else if (this.#access) headers.set('X-Share-Access', this.#access);
    const init = { headers, signal: this.#signal, ...(body !== undefined && { method: 'POST', body }) };
    let detail = { code: 'CONNECTION', status: 0, message: UNREACHABLE };
    try {
      // The token is for this service only, and alone.
      const reply = await fetch(this.#url + path, {
        ...init,
        cache: 'no-store',
        redirect: 'error',
        credentials: 'omit',
      });
      const { data, error } = await reply.json();
      if (reply.ok) return data;
      detail = { ...error, status: reply.status };
      // That only the transcript is withheld is known beforehand.
      if (CLOSING.has(reply.status)) this.#close();
    } catch {
      // There was no reply of the service: said below.
    }
    this.dispatchEvent(new CustomEvent('refused', { detail }));
    return null;
  }

  #close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.dispatchEvent(new Event('closed'));
  }
}
