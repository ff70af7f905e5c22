import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry } from 'yauzl';

/** More than an export of this service has. */
const MAX_ENTRIES = 200_000;

/** An archive that is not unpacked, because of what is in it. */
export class UnzipError extends Error {}

/**
 * Unpacks a ZIP archive into a folder, as plain files. Throws `UnzipError` if it is damaged, has a path that leads out of
 * the folder, more files than an export, or more than `maxBytes` in all.
 */
export async function unzip(file: string, folder: string, maxBytes: number): Promise<void> {
  const archive = await openPromise(file).catch(blame);
  try {
    let [entries, bytes] = [0, 0];
    // Names are checked by the library, and so is that no file is longer than the archive says.
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      entries += 1;
      bytes += entry.uncompressedSize;
      if (entries > MAX_ENTRIES) throw new UnzipError(`it has more than ${MAX_ENTRIES} files`);
      if (bytes > maxBytes) throw new UnzipError(`it needs more than the ${maxBytes} bytes that are free`);
      if (entry.fileName.endsWith('/')) continue;
      const path = join(folder, entry.fileName);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(path, { flags: 'wx' }));
    }
  } catch (error) {
    blame(error);
  } finally {
    archive.close();
  }
}

/** Errors of the file system have a code; those of the archive have none. */
function blame(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  throw code === undefined || code.startsWith('Z_') ? new UnzipError(message) : error;
}
