import type { FileHandle } from 'node:fs/promises';
import { bytes } from './byte-range.js';

/** A box of an MP4 or QuickTime file. Positions are byte offsets in the file; `end` may be past its end. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

const HEADER_BYTES = 16;

/** The boxes between two positions in order, without reading their contents. */
export async function* boxes(file: FileHandle, from: number, to: number): AsyncGenerator<Box> {
  let start = from;
  while (start + 8 <= to) {
    const box = parseBox(await bytes(file, start, HEADER_BYTES), 0, to - start);
    if (!box) return;
    yield { type: box.type, start, bodyStart: start + box.bodyStart, end: start + box.end };
    start += box.end;
  }
}

/** The boxes in a buffer; positions are offsets in the buffer. */
export function* boxesIn(data: Buffer, from = 0, to = data.length): Generator<Box> {
  let start = from;
  while (start + 8 <= to) {
    const box = parseBox(data, start, to - start);
    if (!box) return;
    yield box;
    start = box.end;
  }
}

/** The 32-bit number at an offset, such as in the body of a box; 0 if there is none. */
export const numberAt = (body: Buffer, offset: number): number =>
  offset + 4 <= body.length ? body.readUInt32BE(offset) : 0;

function parseBox(data: Buffer, start: number, rest: number): Box | null {
  if (data.length - start < 8) return null;
  const type = data.toString('latin1', start + 4, start + 8);
  let length = data.readUInt32BE(start);
  let header = 8;
  if (length === 1 && data.length - start >= HEADER_BYTES) {
    length = Number(data.readBigUInt64BE(start + 8));
    header = HEADER_BYTES;
  } else if (length === 0) length = rest;
  // Garbage after the last box is no reason to reject a file that players accept.
  if (length < header || !/^[\x20-\x7e\xa9]{4}$/.test(type)) return null;
  return { type, start, bodyStart: start + header, end: start + length };
}
