import type { FileHandle } from 'node:fs/promises';
import type { ExtractedPiece } from '../process/packager-messages.js';
import { bytes, occurrences, type ByteRange, type Mark } from './byte-range.js';
import { boxes } from './mp4-boxes.js';
import { Mp4Index } from './mp4-index.js';

/** Where decoding can begin, if the decoder has seen the header of the file. */
export type EntryPoint = ExtractedPiece['entryPoints'][number];

/** The first bytes of a Matroska file. */
const EBML = Buffer.from('1a45dfa3', 'hex');
const CLUSTER: Mark = {
  mark: Buffer.from('1f43b675', 'hex'),
  offset: 0,
  matches: (head) => clusterTime(head) !== null,
};
const FRAGMENT: Mark = {
  mark: Buffer.from('moof'),
  offset: 4,
  matches: (head) => head.toString('latin1', 12, 16) === 'mfhd',
};
const TIMESTAMP_SCALE = Buffer.from('2ad7b1', 'hex');
/** Nanoseconds, if the header does not say. */
const DEFAULT_SCALE = 1_000_000;
const HEADER_BYTES = 64 * 1024;
/** Of the index of a fragment; ten seconds of video and audio take a tenth of it. */
const MAX_FRAGMENT_BYTES = 64 * 1024;
const VOID = 0xec;
/** Bytes before the content of such an element or box. */
const GAP_HEADER_BYTES = 16;

/** The clusters of a WebM or Matroska file, or the fragments of an MP4, in a range of it. None in other files. */
export async function* entryPoints(file: FileHandle, range: ByteRange): AsyncGenerator<EntryPoint> {
  const header = await bytes(file, 0, HEADER_BYTES);
  if (isMatroska(header)) yield* clusters(file, range, scaleOf(header));
  else yield* fragments(file, range);
}

/** What makes parsers skip a gap of this many bytes: the beginning of an element or a box as long as the gap. */
export function gapHeader(header: Buffer, length: number): Buffer {
  const gap = Buffer.alloc(GAP_HEADER_BYTES);
  if (isMatroska(header)) {
    gap[0] = VOID;
    // A length of eight bytes, which are not part of it.
    gap.writeBigUInt64BE((1n << 56n) | BigInt(length - 9), 1);
  } else {
    gap.writeUInt32BE(1);
    gap.write('free', 4, 'latin1');
    gap.writeBigUInt64BE(BigInt(length), 8);
  }
  return gap;
}

/** Whether a file that begins like this can be decoded while it is being written. */
export const isStream = (head: Buffer): boolean => isMatroska(head) || head.includes('mvex');

const isMatroska = (header: Buffer): boolean => header.subarray(0, EBML.length).equals(EBML);

async function* clusters(file: FileHandle, range: ByteRange, scale: number): AsyncGenerator<EntryPoint> {
  for await (const { position, head } of occurrences(file, range, CLUSTER))
    yield { offset: position, time: ((clusterTime(head) ?? 0) * scale) / 1e9 };
}

async function* fragments(file: FileHandle, range: ByteRange): AsyncGenerator<EntryPoint> {
  const index = new Mp4Index(file, range.end);
  for await (const box of boxes(file, 0, range.end)) {
    if (box.type !== 'moov') continue;
    await index.read(box);
    break;
  }
  for await (const { position, head } of occurrences(file, range, FRAGMENT)) {
    const length = head.readUInt32BE(0);
    if (length > MAX_FRAGMENT_BYTES) continue;
    const moof = { type: 'moof', start: position, bodyStart: position + 8, end: position + length };
    const times = (await index.readFragment(moof)).flatMap(({ track, start }) =>
      start === null || track.unitsPerSecond === 0 ? [] : [start / track.unitsPerSecond],
    );
    if (times.length > 0) yield { offset: position, time: Math.min(...times) };
  }
}

/** In units of the timestamp scale; null if no cluster begins here. Its first element is its time. */
function clusterTime(head: Buffer): number | null {
  const from = CLUSTER.mark.length + lengthOfLength(head[CLUSTER.mark.length]);
  return head[from] === 0xe7 ? unsignedAt(head, from + 1) : null;
}

function scaleOf(header: Buffer): number {
  const at = header.indexOf(TIMESTAMP_SCALE);
  return (at < 0 ? null : unsignedAt(header, at + TIMESTAMP_SCALE.length)) || DEFAULT_SCALE;
}

/** An unsigned number of at most six bytes behind its length, which is a single byte. */
function unsignedAt(data: Buffer, at: number): number | null {
  const length = (data[at] ?? 0) - 0x80;
  return length >= 1 && length <= 6 && at + 1 + length <= data.length
    ? data.readUIntBE(at + 1, length)
    : null;
}

/** Bytes of an EBML length, by its first byte. */
const lengthOfLength = (first = 0): number => Math.clz32(first) - 23;
