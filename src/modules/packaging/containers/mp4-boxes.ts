import type { FileHandle } from 'node:fs/promises';

/** A box of an MP4 or QuickTime file. Positions are bytes from the start of the file; `end` may lie behind its end. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

const HEADER_BYTES = 16;

/** The boxes between two places, one after the other, without reading what is in them. */
export async function* boxes(file: FileHandle, from: number, to: number): AsyncGenerator<Box> {
  let start = from;
  while (start + 8 <= to) {
    const box = parseBox(await bytes(file, start, HEADER_BYTES), 0, to - start);
    if (!box) return;
    yield { type: box.type, start, bodyStart: start + box.bodyStart, end: start + box.end };
    start += box.end;
  }
}

/** The boxes of a buffer; positions are those in the buffer. */
export function* boxesIn(data: Buffer, from = 0, to = data.length): Generator<Box> {
  let start = from;
  while (start + 8 <= to) {
    const box = parseBox(data, start, to - start);
    if (!box) return;
    yield box;
    start = box.end;
  }
}

export async function bytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The number of 32 bits at a place in the body of a box; 0 where the body is too short for it. */
export function numberAt(body: Buffer, place: number): number {
  return place + 4 <= body.length ? body.readUInt32BE(place) : 0;
}

function parseBox(data: Buffer, start: number, rest: number): Box | null {
  if (data.length - start < 8) return null;
  const type = data.toString('latin1', start + 4, start + 8);
  let length = data.readUInt32BE(start);
  let header = 8;
  if (length === 1 && data.length - start >= HEADER_BYTES) {
    length = Number(data.readBigUInt64BE(start + 8));
    header = HEADER_BYTES;
  } else if (length === 0) {
    length = rest;
  }
  // Garbage behind the last box is no reason to refuse a file that players accept.
  if (length < header || !/^[\x20-\x7e\xa9]{4}$/.test(type)) return null;
  return { type, start, bodyStart: start + header, end: start + length };
}
