import { setTimeout } from 'node:timers/promises';
import type { Client } from './client.js';

/** Looking costs as much as a request does. */
const LONGEST_PAUSE_MS = 200;
/** The longest pause of a test that looks at what happens on the way. */
const LONGEST_LOOKED_MS = 60;

/** A recording as returned by the API, loosely typed. */
export type Detail = ReturnType<typeof JSON.parse>;

export interface PackageFile {
  /** Relative to the URL of the playlist's folder. */
  readonly name: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly content: Buffer;
}

/** Creates a recording of a whole file by `PUT`; returns its id. */
export async function upload(api: Client, content: Uint8Array, fields: object = {}): Promise<string> {
  const created = await api.post('/recordings', { title: 'Weekly sync', ...fields });
  if (created.status !== 201) throw new Error(`No recording was created: ${JSON.stringify(created.body)}`);
  const { id } = created.body.data;
  const headers = { 'content-type': 'application/octet-stream' };
  const put = await api.request('PUT', `/recordings/${id}/media`, { body: content, headers });
  if (put.status !== 200) throw new Error(`The file was not accepted: ${JSON.stringify(put.body)}`);
  return id;
}

/** Waits until a recording is in `COMPLETED` or `ERROR`; `onLook` gets every intermediate reply. */
export async function settled(
  api: Client,
  id: string,
  {
    withinMs = 60_000,
    onLook,
  }: { withinMs?: number; onLook?: (detail: Detail) => void | Promise<void> } = {},
): Promise<Detail> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(onLook ? LONGEST_LOOKED_MS : LONGEST_PAUSE_MS, pauseMs * 1.3)) {
    const { body } = await api.get(`/recordings/${id}`);
    await onLook?.(body.data);
    if (body.data.status === 'COMPLETED' || body.data.status === 'ERROR') return body.data;
    if (Date.now() > deadline)
      throw new Error(`Still ${body.data.status} ${body.data.progress} after ${withinMs} ms`);
    await setTimeout(pauseMs);
  }
}

/** Everything that a player can request: the multivariant playlist, its playlists, and all files they reference. */
export async function readHls(hlsUrl: string): Promise<PackageFile[]> {
  const files: PackageFile[] = [];
  const waiting = [hlsUrl];
  const seen = new Set(waiting);
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    const file = await fetchFile(url, new URL('.', hlsUrl).href);
    files.push(file);
    if (!file.name.endsWith('.m3u8') || file.status !== 200) continue;
    for (const reference of references(file.content.toString())) {
      const next = new URL(reference, url).href;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return files;
}

async function fetchFile(url: string, folder: string): Promise<PackageFile> {
  const response = await fetch(url);
  const content = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return { name: url.replace(folder, ''), url, status, headers, content };
}

/** The URLs in a playlist: separate lines, and `URI` attributes. */
function references(playlist: string): string[] {
  const lines = playlist.split('\n').map((line) => line.trim());
  const plain = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const attributes = [...playlist.matchAll(/URI="([^"]+)"/g)].map(([, uri = '']) => uri);
  return [...attributes, ...plain];
}

/** The video rotated by its header: packaging has to re-encode all of it, which takes a while. */
export function turned(mp4: Uint8Array): Buffer {
  const film = Buffer.from(mp4);
  for (let at = film.indexOf('tkhd'); at >= 0; at = film.indexOf('tkhd', at + 4)) {
    if (film[at + 4] !== 0) throw new Error('Only headers of version 0 are understood');
    const matrix = at + 44;
    const isVideo = film.readUInt32BE(matrix + 36) > 0;
    const turn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000];
    if (isVideo) turn.forEach((value, index) => film.writeInt32BE(value, matrix + 4 * index));
  }
  return film;
}

/** The video with a creation time in its header. */
export function recordedAt(mp4: Uint8Array, time: Date): Buffer {
  const film = Buffer.from(mp4);
  const at = film.indexOf('mvhd');
  if (at < 0 || film[at + 4] !== 0) throw new Error('Only headers of version 0 are understood');
  film.writeUInt32BE((time.getTime() - Date.UTC(1904, 0)) / 1000, at + 8);
  return film;
}

/** The video followed by this many bytes that players skip: a large, playable file. */
export function padded(mp4: Uint8Array, padding: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(padding.length + 8, 0);
  header.write('free', 4, 'latin1');
  return Buffer.concat([mp4, header, padding]);
}
