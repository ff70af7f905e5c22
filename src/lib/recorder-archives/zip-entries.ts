import { isAscii, isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { countText, sizeText } from '../amounts.js';
import { ArchiveError } from './archive.error.js';

/** Files in an archive; BigBlueButton has a few for each slide. */
const MAX_ENTRIES = 10_000;
/** Bytes of what the archive says of them: names, comments and so on. */
const MAX_DIRECTORY = 8 * 1024 ** 2;
const MAX_PATH = 500;
const LOCAL_HEADER_BYTES = 30;
/** Why an entry is not unpacked. */
const FLAWS: readonly (readonly [has: (entry: Entry) => boolean, reason: string])[] = [
  [({ fileName }) => fileName.length > MAX_PATH, `has a path of more than ${MAX_PATH} characters`],
  [({ fileName }) => /\p{Cc}/u.test(fileName), 'has control characters in its name'],
  [({ externalFileAttributes: mode }) => ((mode >>> 16) & 0o170000) === 0o120000, 'is a symbolic link'],
  [(entry) => entry.isEncrypted(), 'is encrypted; send a ZIP archive without a password'],
  [(entry) => !entry.canDecodeFileData(), 'is compressed by another method than "deflate"'],
];

/** Opens a ZIP file for `work`, with its entries by path, which share no bytes. Throws `ArchiveError`. */
export async function withArchive<T>(
  path: string,
  work: (entries: ReadonlyMap<string, Entry>, archive: ZipFile) => Promise<T>,
): Promise<T> {
  const archive = await blaming('', () => openPromise(path, { autoClose: false }));
  try {
    return await work(await entriesOf(archive), archive);
  } finally {
    archive.close();
  }
}

async function entriesOf(archive: ZipFile): Promise<Map<string, Entry>> {
  if (archive.entryCount > MAX_ENTRIES)
    throw new ArchiveError('', `has more than ${countText(MAX_ENTRIES)} files`);
  const entries = new Map<string, Entry>();
  let bytes = 0;
  await blaming('', async () => {
    for await (const entry of archive.eachEntry()) {
      // macOS writes UTF-8, but does not say so.
      if (isUtf8(entry.fileNameRaw) && !isAscii(entry.fileNameRaw))
        entry.fileName = entry.fileNameRaw.toString().replaceAll('\\', '/');
      bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (bytes > MAX_DIRECTORY) throw new Error(`names of over ${sizeText(MAX_DIRECTORY)}`);
      if (entries.has(entry.fileName)) throw new ArchiveError(entry.fileName, 'is in the ZIP archive twice');
      entries.set(entry.fileName, entry);
    }
  });
  let next = archive.fileSize;
  const backwards = [...entries.values()].sort(
    (a, b) => b.relativeOffsetOfLocalHeader - a.relativeOffsetOfLocalHeader,
  );
  for (const { fileName, relativeOffsetOfLocalHeader: start, compressedSize } of backwards) {
    if (start + LOCAL_HEADER_BYTES + compressedSize > next)
      throw new ArchiveError(fileName, 'overlaps with another file, or is incomplete');
    next = start;
  }
  return entries;
}

/** Throws `ArchiveError` unless the entry is a file that can be unpacked, and says that it has at most `max` bytes. */
export function requireFile(entry: Entry, max: number): void {
  const [, flaw] = FLAWS.find(([has]) => has(entry)) ?? [];
  if (flaw !== undefined) throw new ArchiveError(entry.fileName, flaw);
  if (entry.uncompressedSize > max) throw new ArchiveError(entry.fileName, `is larger than ${sizeText(max)}`);
}

/** Unpacks an entry, but never more bytes than it says. Throws `ArchiveError` if it is damaged or has more or fewer. */
export const unpack = <T>(
  archive: ZipFile,
  entry: Entry,
  read: (stream: Readable) => Promise<T>,
): Promise<T> => blaming(entry.fileName, async () => read(await archive.openReadStreamPromise(entry)));

/** What `work` returns. Its errors are the fault of the entry, except those of the disk, and aborts. */
async function blaming<T>(entry: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (error instanceof ArchiveError || /^(E[A-Z]+|ABORT_ERR)$/.test(code)) throw error;
    throw new ArchiveError(entry, `cannot be read: ${message}`);
  }
}
