import type { FileHandle } from 'node:fs/promises';

/** A range of bytes; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What is looked for: bytes at an offset from where something begins, and whether it really does. */
export interface Mark {
  readonly mark: Buffer;
  readonly offset: number;
  readonly matches: (head: Buffer) => boolean;
}

/** What `matches` and the caller get to see. */
const HEAD_BYTES = 1024;
const PIECE_BYTES = 1024 * 1024;
/** Media that looks like a mark is rare; a file full of it is not searched to its end. */
const MAX_LOOKS = 100_000;

/** Up to `length` bytes from a position; fewer at the end of the file. */
export async function bytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Where a mark is found, in order, with the bytes from there on. */
export async function* occurrences(
  file: FileHandle,
  { start, end }: ByteRange,
  { mark, offset, matches }: Mark,
): AsyncGenerator<{ readonly position: number; readonly head: Buffer }> {
  let looks = 0;
  for (let from = start; from < end; from += PIECE_BYTES) {
    const piece = await bytes(file, from, PIECE_BYTES + mark.length - 1);
    for (let found = piece.indexOf(mark); found >= 0; found = piece.indexOf(mark, found + 1)) {
      const position = from + found - offset;
      if (position < start) continue;
      if (++looks > MAX_LOOKS) return;
      const within = position - from;
      const isRead = within >= 0 && within + HEAD_BYTES <= piece.length;
      const head = isRead
        ? piece.subarray(within, within + HEAD_BYTES)
        : await bytes(file, position, HEAD_BYTES);
      if (matches(head)) yield { position, head };
    }
  }
}
