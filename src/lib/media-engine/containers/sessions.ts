import type { FileHandle } from 'node:fs/promises';
import { occurrences, type ByteRange } from './byte-range.js';
import { headerOf, type SessionHeader } from './session-headers.js';
import { transportSessions } from './transport-sessions.js';

/**
 * The files that were joined end to end: a recorder that was reloaded or reconnected goes on with a second header in
 * the same upload, and so does `cat`. Nearly always one, the whole file. `head` are the first bytes; MP4 is read by
 * `mp4-layout.ts`.
 */
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
