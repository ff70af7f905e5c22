import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readContentDisposition } from '../../../platform/http/replies/content-disposition.js';
import { failed, refused, unreachable, usageError } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { showProgress, transfer } from '../progress.js';
import { onServer, type Session } from './client.js';

/** Attempts in a row that bring nothing. */
const MAX_FAILURES = 5;
const RETRY_AFTER_MS = 500;
const NAME_BYTES = 200;

/** Media at a URL that expires. It is not part of the API, so requests have no key. */
interface Media {
  url: string;
  readonly size: number;
  readonly etag: string;
  /** Fit for a file system; null if the server gives none. */
  readonly name: string | null;
}

/** `recordings download ID [FILE]`: also continues a download that was interrupted. */
export async function downloadRecording(
  id: string,
  named: string | undefined,
  options: Output,
): Promise<void> {
  await onServer(async (session) => {
    const media = await findMedia(session, id);
    const file = await targetOf(named, media.name ?? id);
    if (existsSync(file)) throw usageError(`${file}: exists already`);
    // What was received of another version is elsewhere.
    const version = createHash('sha256').update(media.etag).digest('hex').slice(0, 8);
    const part = `${file}.${version}.part`;
    const target = await open(part, 'a');
    try {
      await fetchInto(target, media, session, id);
    } catch (error) {
      if (!session.signal.aborted) throw error;
      throw failed(`Interrupted. The same command continues with ${part}.`);
    } finally {
      await target.close();
    }
    await rename(part, file);
    print(options, { id, file, size: media.size }, file);
  });
}

/** A folder gets the file under the name that the server gives it. */
async function targetOf(named: string | undefined, name: string): Promise<string> {
  if (named === undefined) return name;
  const isFolder = existsSync(named) && (await stat(named)).isDirectory();
  return isFolder ? join(named, name) : named;
}

/** Appends what is missing. After a broken connection, it continues where it was. */
async function fetchInto(target: FileHandle, media: Media, session: Session, id: string): Promise<void> {
  let received = (await target.stat()).size;
  const bar = showProgress();
  const progress = transfer('downloaded', media.size, received);
  try {
    for (let failures = 0; received < media.size;) {
      const before = received;
      try {
        for await (const chunk of await contentFrom(received, media, session, id)) {
          await target.writeFile(chunk);
          received += chunk.length;
          bar.show(...progress(received));
        }
      } catch (error) {
        session.signal.throwIfAborted();
        if (!isNetworkError(error)) throw error;
      }
      // An end before the end is a broken connection, too.
      failures = received > before ? 0 : failures + 1;
      if (failures >= MAX_FAILURES)
        throw unreachable(`${new URL(media.url).origin} ended the download ${failures} times.`);
      if (received < media.size) await setTimeout(RETRY_AFTER_MS, undefined, { signal: session.signal });
    }
  } finally {
    bar.end();
  }
}

async function findMedia(session: Session, id: string): Promise<Media> {
  const url = await downloadUrl(session, id);
  const { origin } = new URL(url);
  // Not HEAD: the signature of an S3 URL is for GET.
  const reply = await request(url, { range: 'bytes=0-0' }, session).catch((error: unknown) => {
    if (!isNetworkError(error)) throw error;
    throw unreachable(`${origin}, which has the media, cannot be reached.`);
  });
  const { headers, body, status } = reply;
  await body?.cancel();
  const [, size = ''] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  const etag = headers.get('etag');
  const disposition = headers.get('content-disposition');
  if (status !== 206 || size === '' || etag === null)
    throw unreachable(`${origin} does not serve the media as expected (HTTP ${status}).`);
  return { url, size: Number(size), etag, name: disposition && fileName(disposition) };
}

async function contentFrom(
  offset: number,
  media: Media,
  session: Session,
  id: string,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = { range: `bytes=${offset}-`, 'if-range': media.etag };
  let reply = await request(media.url, headers, session);
  if ([401, 403, 410].includes(reply.status)) {
    await reply.body?.cancel();
    media.url = await downloadUrl(session, id);
    reply = await request(media.url, headers, session);
  }
  if (reply.status === 206 && reply.body) return reply.body;
  await reply.body?.cancel();
  if (reply.status >= 500) throw new TypeError(`HTTP ${reply.status}`);
  throw failed(
    reply.status === 200
      ? 'The media was replaced during the download. Start it again.'
      : `The media cannot be downloaded (HTTP ${reply.status}).`,
  );
}

async function downloadUrl({ api, signal }: Session, id: string): Promise<string> {
  const { downloadUrl: url, capabilityReasons } = await api.get('/recordings/{id}', { path: { id }, signal });
  if (url !== null) return url;
  const { reason, plan } = capabilityReasons.canDownload ?? { reason: 'no media', plan: null };
  const why = plan === null ? `(${reason.replaceAll('_', ' ')})` : `without the plan ${plan}`;
  throw refused(`${id}: cannot be downloaded ${why}`);
}

const request = (
  url: string,
  headers: Readonly<Record<string, string>>,
  { signal }: Session,
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
