import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. */
export interface ZippedFile {
  readonly path: string;
  readonly content: string | Readable;
  /** Bytes, of what compresses badly, such as a video, and is stored as it is. */
  readonly size?: number;
}

/** A ZIP archive, which is written as fast as it is read. It fails when one of its files does, and when `stop` is aborted. */
export function zipOf(files: AsyncIterable<ZippedFile>, stop: AbortSignal): Readable {
  const zip = new ZipFile();
  const archive = new PassThrough();
  const closed = new AbortController();
  // A reader gets the error; without one, it concerns nobody.
  archive.on('error', () => undefined).once('close', () => closed.abort());
  zip.on('error', (error) => archive.destroy(error));
  zip.outputStream.pipe(addAbortSignal(stop, archive));
  addAll(zip, files, closed.signal).catch((error: Error) => archive.destroy(error));
  return archive;
}

async function addAll(zip: ZipFile, files: AsyncIterable<ZippedFile>, closed: AbortSignal): Promise<void> {
  for await (const { path, content, size } of files) {
    const source = typeof content === 'string' ? Readable.from([content]) : content;
    const ended = finished(source, { signal: closed });
    zip.addReadStream(source, path, size === undefined ? {} : { compress: false, size });
    try {
      await ended;
    } finally {
      source.destroy();
    }
  }
  zip.end();
}
