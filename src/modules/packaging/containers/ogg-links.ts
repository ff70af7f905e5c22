import { open, type FileHandle } from 'node:fs/promises';
import { bytes } from './mp4-boxes.js';

/** A range of bytes; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const PAGE = 'OggS';
const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
const FIRST_PAGE = 0x02;
const SEARCH_BYTES = 64 * 1024;
/** More than any chain of meetings has. */
const MAX_LINKS = 1_000;

/**
 * The links of a chained Ogg: files that were joined end to end, each with its own tracks (RFC 3533, section 4). One range
 * for a file that is not chained, and for one that is not an Ogg.
 */
export async function oggLinks(path: string): Promise<readonly ByteRange[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const starts = await linkStarts(file, size);
    return starts.map((start, place) => ({ start, end: starts[place + 1] ?? size }));
  } finally {
    await file.close();
  }
}

/** A link begins with the first pages of all its tracks. */
async function linkStarts(file: FileHandle, size: number): Promise<number[]> {
  const starts = [0];
  let inBeginning = true;
  for (let at = await pageAt(file, 0, HEADER_BYTES); at !== null && starts.length < MAX_LINKS;) {
    const header = await bytes(file, at, HEADER_BYTES + MAX_SEGMENTS);
    if (header.length < HEADER_BYTES) break;
    const isFirst = ((header[5] ?? 0) & FIRST_PAGE) !== 0;
    if (isFirst && !inBeginning) starts.push(at);
    inBeginning = isFirst;
    at = await pageAt(file, at + pageBytes(header), size);
  }
  return starts;
}

function pageBytes(header: Buffer): number {
  const segments = header[26] ?? 0;
  const lengths = header.subarray(HEADER_BYTES, HEADER_BYTES + segments);
  return HEADER_BYTES + segments + lengths.reduce((sum, length) => sum + length, 0);
}

/** Position of the first page from here on, at most `until`; null if there is none. */
async function pageAt(file: FileHandle, from: number, until: number): Promise<number | null> {
  for (let at = from; at < until;) {
    const length = at === from ? PAGE.length : SEARCH_BYTES;
    const data = await bytes(file, at, length);
    const found = data.indexOf(PAGE);
    if (found >= 0) return at + found;
    if (data.length < length) return null;
    at += Math.max(1, length - PAGE.length + 1);
  }
  return null;
}
