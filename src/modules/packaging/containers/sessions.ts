import type { FileHandle } from 'node:fs/promises';
import { occurrences, type ByteRange, type Mark } from './byte-range.js';
import { transportSessions } from './transport-sessions.js';

/** How files of a container begin. */
interface SessionHeader extends Mark {
  /** Bytes of the header. One that follows another immediately belongs to the same file; 0 if that cannot be. */
  readonly length: (head: Buffer) => number;
}

/** Identifier, length and text. */
const DOC_TYPE = /\x42\x82.(?:webm|matroska)/s;
const OGG_PAGE = 27;

/** What browsers and telephone systems record. FFmpeg by itself continues with the next file of MPEG audio and ADTS. */
const HEADERS: readonly SessionHeader[] = [
  {
    mark: Buffer.from('1a45dfa3', 'hex'),
    offset: 0,
    matches: (head) => DOC_TYPE.test(head.toString('latin1', 0, 64)),
    length: () => 0,
  },
  // The first pages of all tracks come first.
  { mark: Buffer.from('OggS\0\x02'), offset: 0, matches: () => true, length: pageBytes },
  {
    mark: Buffer.from('WAVE'),
    offset: 8,
    matches: (head) => /^(?:RIFF|RF64)/.test(head.toString('latin1', 0, 4)),
    length: () => 0,
  },
];

/**
 * The files that were joined end to end: a recorder that was reloaded or reconnected goes on with a second header in the
 * same upload, and so does `cat`. Nearly always one, the whole file. `head` are the first bytes; MP4 is read by
 * `mp4-layout.ts`.
 */
export async function findSessions(
  file: FileHandle,
  size: number,
  head: Buffer,
): Promise<readonly ByteRange[]> {
  const kind = HEADERS.find(
    ({ mark, offset, matches }) => head.subarray(offset, offset + mark.length).equals(mark) && matches(head),
  );
  const starts = await (kind ? headerStarts(file, size, kind) : transportSessions(file, size));
  return starts.map((start, place) => ({ start, end: starts[place + 1] ?? size }));
}

async function headerStarts(file: FileHandle, size: number, kind: SessionHeader): Promise<readonly number[]> {
  const starts = [0];
  let headerEnd = 0;
  for await (const { position, head } of occurrences(file, { start: 0, end: size }, kind)) {
    if (position !== headerEnd) starts.push(position);
    headerEnd = position + kind.length(head);
  }
  return starts;
}

function pageBytes(head: Buffer): number {
  const segments = head[OGG_PAGE - 1] ?? 0;
  const lengths = head.subarray(OGG_PAGE, OGG_PAGE + segments);
  return OGG_PAGE + segments + lengths.reduce((sum, length) => sum + length, 0);
}
