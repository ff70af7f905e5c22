import type { FileHandle } from 'node:fs/promises';
import { transportPackets } from '../../file-types/transport-stream.js';
import { bytes } from './byte-range.js';

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

/**
 * Where the files in an MPEG-TS begin: with the table of programs before the first time of another clock. Their streams
 * may differ in everything. Just 0 for one file, and for what is no MPEG-TS.
 */
export async function transportSessions(file: FileHandle, size: number): Promise<readonly number[]> {
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
