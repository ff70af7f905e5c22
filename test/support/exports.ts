import { buffer } from 'node:stream/consumers';
import { fromBufferPromise, type Entry } from 'yauzl';
import { done, type Client, type Reply } from './client.js';
import { eventually } from './service.js';

/** Requests an export, and waits until it has ended. */
export async function exported(api: Client, path: string, body?: object): Promise<Reply['body']> {
  const { id } = await done(api.post(path, body));
  return ended(api, id);
}

export async function ended(api: Client, id: string): Promise<Reply['body']> {
  let found: Reply['body'];
  await eventually(async () => {
    found = await done(api.get(`/exports/${id}`));
    if (found.status === 'queued' || found.status === 'running') throw new Error(`Still ${found.status}`);
  });
  return found;
}

/** The files of a ZIP archive, by their names. */
export async function unzipped(content: Uint8Array): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(Buffer.from(content));
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>)
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  return files;
}

export async function download({ download_url: url }: Reply['body']): Promise<Buffer> {
  const response = await fetch(url);
  return Buffer.from(await response.arrayBuffer());
}

export const filesOf = async (one: Reply['body']): Promise<Map<string, Buffer>> =>
  unzipped(await download(one));

export const jsonIn = (files: Map<string, Buffer>, name: string): Reply['body'] =>
  JSON.parse(files.get(name)!.toString());
