import { find, reloadPage, setText } from './dom.js';

/** @import { Share } from './types.js' */

/** Any reply that does not start at chunk 0, which would count as a view. */
const STATE_ONLY = 'start_chunk=1&limit=1';
const CLOSED = new Set([403, 404, 410]);
/** A link whose expiry was put off is asked about again after this time. */
const RECHECK_MS = 120_000;
/** Longer timers fire at once. */
export const MAX_TIMEOUT = 2 ** 31 - 1;

/** The share link that the page was opened with. Dispatches `closed` once it no longer opens. */
export class ShareLink extends EventTarget {
  #api;
  isClosed = false;
  /** In milliseconds of this clock. */
  expiresAt;

  /** @param {string} api @param {number | null} expiresIn */
  constructor(api, expiresIn) {
    super();
    this.#api = api;
    this.expiresAt = Date.now() + (expiresIn ?? Infinity);
  }

  /** Null when there is no answer. @param {string} [query] @returns {Promise<Share | null>} */
  fetchShare(query = STATE_ONLY) {
    return this.#fetch(`${this.#api}?${query}`, async (response) => (await response.json()).data);
  }

  /** The page as it would open now, without being counted as a view; null when there is no answer. @returns {Promise<Document | null>} */
  fetchPage() {
    return this.#fetch(`${location.pathname}?start_chunk=1`, async (response) =>
      new DOMParser().parseFromString(await response.text(), 'text/html'),
    );
  }

  /** @template T @param {string} address @param {(response: Response) => Promise<T>} read @returns {Promise<T | null>} */
  async #fetch(address, read) {
    try {
      const response = await fetch(address, { cache: 'no-store' });
      if (CLOSED.has(response.status)) this.#close();
      return response.ok ? await read(response) : null;
    } catch {
      return null;
    }
  }

  /** Asks the service when the link expires: by then it may have been given more time. */
  watchExpiry() {
    const left = this.expiresAt - Date.now();
    if (left === Infinity) return;
    setTimeout(() => void this.#checkExpiry(), Math.min(Math.max(0, left) + 300, MAX_TIMEOUT));
  }

  async #checkExpiry() {
    if (Date.now() >= this.expiresAt) {
      await this.fetchShare();
      this.expiresAt = Date.now() + RECHECK_MS;
    }
    if (!this.isClosed) this.watchExpiry();
  }

  #close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.dispatchEvent(new Event('closed'));
  }
}

/** Shows the status and the progress as they change; reloads the page once there is nothing more to wait for. @param {ShareLink} link */
export async function waitForRecording(link) {
  for (let ms = 5_000; !link.isClosed; ms = Math.min(30_000, ms * 1.25)) {
    await waitUntilVisible(ms);
    const page = await link.fetchPage();
    if (link.isClosed) return;
    if (!page) continue;
    const progress = page.getElementById('progress');
    if (!progress) return reloadPage();
    for (const id of ['status-title', 'status-text', 'percent'])
      setText(id, page.getElementById(id)?.textContent ?? '');
    const value = page.getElementById('progress-bar')?.getAttribute('value') ?? '0';
    find('progress-bar', Element)?.setAttribute('value', value);
    find('progress', Element)?.toggleAttribute('hidden', progress.hasAttribute('hidden'));
  }
}

/** Reloads the page when transcript and summary are there, unless somebody is watching. @param {ShareLink} link @param {() => boolean} isWatched */
export async function waitForContent(link, isWatched) {
  let isProcessing = false;
  for (let ms = 3_000; ; ms = Math.min(60_000, ms * 2)) {
    await waitUntilVisible(ms);
    if (isWatched() || link.isClosed) return;
    const share = await link.fetchShare();
    if (!share) continue;
    if ([share.transcript?.status, share.summary?.status].includes('processing')) isProcessing = true;
    else return isProcessing ? reloadPage() : undefined;
  }
}

/** Waits this long, and on while the page is hidden; the wait ends at once when the page is shown. @param {number} ms @returns {Promise<void>} */
function waitUntilVisible(ms) {
  return new Promise((resolve) => {
    const resolveIfVisible = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', resolveIfVisible);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(resolveIfVisible, ms);
    document.addEventListener('visibilitychange', resolveIfVisible);
  });
}
