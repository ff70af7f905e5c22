import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { readContentDisposition } from '../../../platform/http/replies/content-disposition.js';
import { CommandError, EXIT, unreachable } from '../exit-status.js';

/** Attempts in a row that bring nothing. */
const MAX_FAILURES = 5;
const RETRY_AFTER_MS = 500;
const NAME_BYTES = 200;

/** Where the first bytes of a file are kept; those of another version of it are elsewhere. */
export const partOf = (file: string, etag: string): string =>
  `${file}.${createHash('sha256').update(etag).digest('hex').slice(0, 8)}.part`;

/** A file on a server, at a URL that expires. It is not part of the API, so requests have no key. */
export class MediaFile {
  private constructor(
    private readonly findUrl: () => Promise<string>,
    private url: string,
    private readonly signal: AbortSignal,
    readonly size: number,
    readonly etag: string,
    /** Fit for a file system; null if the server gives none. */
    readonly name: string | null,
  ) {}

  static async open(findUrl: () => Promise<string>, signal: AbortSignal): Promise<MediaFile> {
    const url = await findUrl();
    // Not HEAD: the signature of an S3 URL is for GET.
    const reply = await request(url, { range: 'bytes=0-0' }, signal).catch((error: unknown) => {
      if (!isNetworkError(error)) throw error;
      throw unreachable(`${new URL(url).origin}, which has the media, cannot be reached.`);
    });
    const { headers, body, status } = reply;
    await body?.cancel();
    const [, size = ''] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
    const etag = headers.get('etag');
    if (status !== 206 || size === '' || etag === null)
      throw unreachable(`${new URL(url).origin} does not serve the media as expected (HTTP ${status}).`);
    const disposition = headers.get('content-disposition');
    return new MediaFile(findUrl, url, signal, Number(size), etag, disposition && fileName(disposition));
  }

  /** Appends what is missing to a file that has `begun` bytes. After a broken connection, it continues where it was. */
  async fetchInto(part: string, begun: number, onProgress: (received: number) => void): Promise<void> {
    const file = await open(part, 'a');
    let received = begun;
    try {
      for (let failures = 0; received < this.size;) {
        const before = received;
        try {
          for await (const chunk of await this.from(received)) {
            await file.writeFile(chunk);
            received += chunk.length;
            onProgress(received);
          }
        } catch (error) {
          this.signal.throwIfAborted();
          if (!isNetworkError(error)) throw error;
        }
        // An end before the end is a broken connection, too.
        failures = received > before ? 0 : failures + 1;
        if (failures >= MAX_FAILURES)
          throw unreachable(`${new URL(this.url).origin} ended the download ${failures} times.`);
        if (received < this.size) await setTimeout(RETRY_AFTER_MS, undefined, { signal: this.signal });
      }
    } finally {
      await file.close();
    }
  }

  private async from(offset: number): Promise<AsyncIterable<Uint8Array>> {
    const headers = { range: `bytes=${offset}-`, 'if-range': this.etag };
    let reply = await request(this.url, headers, this.signal);
    if (reply.status === 403 || reply.status === 401 || reply.status === 410) {
      // The URL has expired.
      await reply.body?.cancel();
      this.url = await this.findUrl();
      reply = await request(this.url, headers, this.signal);
    }
    if (reply.status === 206 && reply.body) return reply.body;
    await reply.body?.cancel();
    if (reply.status >= 500) throw new TypeError(`HTTP ${reply.status}`);
    throw new CommandError(
      EXIT.failure,
      reply.status === 200
        ? 'The media was replaced during the download. Start it again.'
        : `The media cannot be downloaded (HTTP ${reply.status}).`,
    );
  }
}

const request = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> =>
  // Compressed, it could not be continued.
  fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' }, redirect: 'error', signal });

/** Of `fetch`, and of a body that ends early. */
const isNetworkError = (error: unknown): boolean => error instanceof TypeError;

/** A name without path, which no shell or file system takes for anything else. */
function fileName(disposition: string): string | null {
  const { filename = '' } = readContentDisposition(disposition).parameters;
  const clean = filename
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_')
    .replace(/^[.\s-]+/, '')
    .trim();
  const characters = [...clean];
  while (Buffer.byteLength(characters.join('')) > NAME_BYTES) characters.splice(-10, 1);
  return characters.join('') || null;
}
