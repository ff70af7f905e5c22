import { MAX_TIMEOUT, reloadPage } from './dom.js';

/** @import { Share } from './types.js' */

const CLOSED = new Set([403, 404, 410]);
/** When to check a link again whose expiry has been extended. */
const RECHECK_MS = 120_000;

/** The share link that the page was opened with. Dispatches `closed` when it stops working. */
export class ShareLink extends EventTarget {
  #api;
  isClosed = false;
  expiresAt;

  /** @param {string} api @param {number | null} expiresIn */
  constructor(api, expiresIn) {
    super();
    this.#api = api;
    this.expiresAt = Date.now() + (expiresIn ?? Infinity);
  }

  /** Null if it fails. From chunk 0 on, it counts as a view. @returns {Promise<Share | null>} */
  fetchShare(startChunk = 1, limit = 1) {
    const url = `${this.#api}?start_chunk=${startChunk}&limit=${limit}`;
    return this.#fetch(url, async (response) => (await response.json()).data);
  }

  async fetchRecording() {
    return (await this.fetchShare())?.recording;
  }

  async fetchTranscript(startChunk = 0, limit = 1) {
    return (await this.fetchShare(startChunk, limit))?.transcript;
  }

  /** The current page, from a chunk of its transcript on, without counting as a view; null if the request fails. @param {number} chunk @returns {Promise<Document | null>} */
  fetchPage(chunk) {
    return this.#fetch(`${location.pathname}?start_chunk=${chunk}`, async (response) =>
      new DOMParser().parseFromString(await response.text(), 'text/html'),
    );
  }

  /** Counts a view once the page is seen: what fetches it for a link preview runs no scripts, or does not show it. @param {string} url */
  async countView(url) {
    await waitUntilVisible(0);
    await fetch(url, { method: 'POST' }).catch(() => undefined);
  }

  /** @template T @param {string} url @param {(response: Response) => Promise<T>} read @returns {Promise<T | null>} */
  async #fetch(url, read) {
    try {
      const response = await fetch(url, { cache: 'no-store' });
      if (CLOSED.has(response.status)) this.#close();
      return response.ok ? await read(response) : null;
    } catch {
      return null;
    }
  }

  /** Checks with the service when the link expires, as its expiry may have been extended. */
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

/** Reloads the page when HLS, transcript and summary are available, unless the recording is being watched. @param {ShareLink} link @param {{ isWatched: () => boolean, hasHls: boolean }} page */
export async function waitForContent(link, { isWatched, hasHls }) {
  let isProcessing = false;
  for (let ms = 3_000; ; ms = Math.min(60_000, ms * 1.25)) {
    await waitUntilVisible(ms);
    if (isWatched() || link.isClosed) return;
    const share = await link.fetchShare();
    if (!share) continue;
    const { recording, transcript, summary } = share;
    const isConverting =
      recording.status === 'MIGRATING' && recording.media === 'available' && !recording.hlsUrl;
    if (isConverting || [transcript?.status, summary?.status].includes('processing')) isProcessing = true;
    else return isProcessing || (recording.hlsUrl && !hasHls) ? reloadPage() : undefined;
  }
}

/** Waits this long, and longer while the page is hidden; becoming visible ends the wait. @param {number} ms @returns {Promise<void>} */
export function waitUntilVisible(ms) {
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
