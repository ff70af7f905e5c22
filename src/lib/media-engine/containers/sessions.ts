import type { FileHandle } from 'node:fs/promises';
import { transportPackets } from '../../file-types/signatures.js';
import { MEDIA_LIMITS } from '../media-limits.js';
import { bytes, occurrences, type ByteRange, type Mark } from './byte-range.js';
import { numberAt } from './mp4-boxes.js';

/** How files of a container begin. */
interface SessionHeader extends Mark {
  /** Bytes of the header. One that follows another immediately belongs to the same file; 0 if that cannot be. */
  readonly length: (head: Buffer) => number;
}

/** Identifier, length and text. */
const DOC_TYPE = /\x42\x82.(?:webm|matroska)/s;
const OGG_PAGE = 27;

/** FFmpeg itself continues with the next file where there is no header: MPEG audio, ADTS, AC-3, elementary streams. */
const HEADERS: readonly SessionHeader[] = [
  header(Buffer.from('1a45dfa3', 'hex'), { matches: (head) => DOC_TYPE.test(text(head, 64)) }),
  // The first pages of all tracks come first.
  header('OggS\0\x02', { length: pageBytes }),
  header('WAVE', { offset: 8, matches: (head) => /^(?:RIFF|RF64|BW64|RIFX)/.test(text(head, 4)) }),
  header('AVI ', { offset: 8, matches: (head) => text(head, 4) === 'RIFF' }),
  header('AIFF', { offset: 8, matches: (head) => text(head, 4) === 'FORM' }),
  header('AIFC', { offset: 8, matches: (head) => text(head, 4) === 'FORM' }),
  header('riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0'),
  header('caff\0\x01\0\0'),
  header('.snd', { matches: (head) => isRate(numberAt(head, 16)) && numberAt(head, 4) >= 24 }),
  header('fLaC\0\0\0\x22'),
  header('fLaC\x80\0\0\x22'),
  header('FLV\x01', { matches: (head) => numberAt(head, 5) === 9 }),
  header(Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')),
  header('TTA1', { matches: (head) => head.length >= 14 && isRate(head.readUInt32LE(10)) }),
  header('wvpk', { matches: isFirstBlock }),
  header('DKIF\0\0\x20\0'),
  header(Buffer.from('060e2b34020501010d0102010102', 'hex')),
  header('.RMF\0\0\0\x12'),
  header('#!AMR'),
  header('nut/multimedia container\0'),
];

const SYNC = 0x47;
const PACKET_BYTES = 188;
/** Bytes of a packet with a time code before it (M2TS), and of that time code. */
const TIMED = { size: 192, before: 4 };
const PACKETS_AT_ONCE = 8_192;
const HEAD_BYTES = 2_048;
/** The clock counts 90,000 ticks a second and begins anew after 26 hours. */
const TICKS = 90_000;
const WRAP = 2 ** 33;
/** Seconds; a clock that jumps further is another clock. */
const FORWARDS = 10;
const BACKWARDS = 0.1;

/** The files that were joined end to end, as by a recorder that was reloaded; nearly always one. Not for MP4. */
export async function findSessions(file: FileHandle, size: number, head: Buffer): Promise<ByteRange[]> {
  const kind = headerOf(head);
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

/** How a file begins, and others that may be joined to it; null if such files have no header. */
function headerOf(head: Buffer): SessionHeader | null {
  const found = HEADERS.find(
    ({ mark, offset, matches }) => head.subarray(offset, offset + mark.length).equals(mark) && matches(head),
  );
  return found ?? null;
}

function header(
  mark: string | Buffer,
  { offset = 0, matches = () => true, length = () => 0 }: Partial<SessionHeader> = {},
): SessionHeader {
  return { mark: Buffer.from(mark as string, 'latin1'), offset, matches, length };
}

function pageBytes(head: Buffer): number {
  const segments = head[OGG_PAGE - 1] ?? 0;
  const lengths = head.subarray(OGG_PAGE, OGG_PAGE + segments);
  return OGG_PAGE + segments + lengths.reduce((sum, length) => sum + length, 0);
}

/** The first block of a WavPack file is at sample 0, and has the first of its channels. */
function isFirstBlock(head: Buffer): boolean {
  return head.length >= 28 && head.readUInt32LE(16) === 0 && (head.readUInt32LE(24) & 0x800) !== 0;
}

const text = (head: Buffer, length: number): string => head.toString('latin1', 0, length);
const isRate = (hertz: number): boolean =>
  hertz >= MEDIA_LIMITS.sampleRate.min && hertz <= MEDIA_LIMITS.sampleRate.max;

/** Where the files in an MPEG-TS begin: with the table of programs before the first time of another clock. */
async function transportSessions(file: FileHandle, size: number): Promise<readonly number[]> {
  const starts = [0];
  const layout = transportPackets(await bytes(file, 0, HEAD_BYTES));
  if (!layout) return starts;
  const before = layout.size === TIMED.size ? TIMED.before : 0;
  let last: number | null = null;
  let programs: number | null = null;
  for (let from = layout.start; from < size; from += layout.size * PACKETS_AT_ONCE) {
    const piece = await bytes(file, from, layout.size * PACKETS_AT_ONCE);
    for (let at = 0; at + PACKET_BYTES <= piece.length; at += layout.size) {
      if (piece[at] !== SYNC) continue;
      if (isProgramTable(piece.subarray(at, at + PACKET_BYTES))) programs = from + at - before;
      const clock = clockOf(piece, at);
      if (clock === null) continue;
      // A time without a table before it is damage, or a clock that was set: FFmpeg reads on.
      if (programs !== null && last !== null && isJump(last, clock)) starts.push(programs);
      last = clock;
      programs = null;
    }
  }
  return starts;
}

/** Whether it is a table of one program. Several in one file have a clock each. */
function isProgramTable(packet: Buffer): boolean {
  const isTable = (packet.readUInt16BE(1) & 0x5fff) === 0x4000 && ((packet[3] as number) & 0x30) === 0x10;
  if (!isTable) return false;
  const section = packet.subarray(5 + (packet[4] as number));
  if (section.length < 12 || section[0] !== 0) return false;
  const entries = section.subarray(8, Math.max(8, (section.readUInt16BE(1) & 0xfff) - 1));
  let programs = 0;
  for (let at = 0; at + 4 <= entries.length; at += 4) if (entries.readUInt16BE(at) !== 0) programs += 1;
  return programs === 1;
}

/** Seconds on the clock of the program; most packets have none. */
function clockOf(piece: Buffer, at: number): number | null {
  const hasAdaptation = ((piece[at + 3] as number) & 0x20) !== 0 && (piece[at + 4] as number) >= 7;
  if (!hasAdaptation || ((piece[at + 5] as number) & 0x10) === 0) return null;
  return (piece.readUInt32BE(at + 6) * 2 + ((piece[at + 10] as number) >> 7)) / TICKS;
}

function isJump(from: number, to: number): boolean {
  const wrap = WRAP / TICKS;
  const step = ((((to - from + wrap / 2) % wrap) + wrap) % wrap) - wrap / 2;
  return step < -BACKWARDS || step > FORWARDS;
}
