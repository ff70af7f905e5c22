import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { gapHeader, isStream } from '../../../../lib/media-engine/containers/entry-points.js';
import { ScratchService, type StoredBytes } from '../../packaging/scratch.service.js';
import { findArrivedParts } from './live-transcription.queries.js';
import { z } from '../../../../lib/zod.js';

/** The maximum length of the header of a meeting that can be transcribed live. */
const HEAD_BYTES = 256 * 1024;

/** Reads what has arrived of meetings in progress. */
@Injectable()
export class LiveMediaService {
  constructor(
    private readonly scratch: ScratchService,
    private readonly dataSource: DataSource,
  ) {}

  /** Whether it can be decoded before it is complete: a WebM or Matroska file, or an MP4 in fragments. */
  async isStream(uploadId: string): Promise<boolean> {
    return isStream(await buffer(this.scratch.read(await this.stored(uploadId, 0, HEAD_BYTES))));
  }

  /**
   * Writes the header and the bytes from a position up to `to` into a new file, each at its own offset, which fragments of
   * an MP4 may refer to. What is missing takes no space, and parsers skip it.
   */
  async write(
    uploadId: string,
    { header, from }: LivePosition,
    to: number,
    { path, signal }: { readonly path: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const head = await this.stored(uploadId, 0, header ?? 0);
    await this.scratch.assemble(head, path, signal);
    await coverGap(path, header ?? 0, from);
    await this.scratch.assemble(await this.stored(uploadId, from, to), path, signal, from);
  }

  private async stored(uploadId: string, from: number, to: number): Promise<StoredBytes[]> {
    const parts = await findArrivedParts(this.dataSource.manager, uploadId, from, to);
    return parts.map(({ key, start, size }) => {
      const range = { start: Math.max(0, from - start), end: Math.min(size, to - start) - 1 };
      return { key, range };
    });
  }
}

async function coverGap(path: string, start: number, end: number): Promise<void> {
  if (start === end) return;
  await using file = await open(path, 'r+');
  const { buffer: head } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const gap = gapHeader(head, end - start);
  await file.write(gap, 0, gap.length, start);
}

const POSITION = z.object({
  /** Bytes of the header, which every piece needs; null until there is a piece. */
  header: z.int().min(0).nullable(),
  /** Offset of the byte that the next piece begins with. */
  from: z.int().min(0),
  /** Seconds on the clock of the file when the recording begins. */
  origin: z.number(),
  /** Consecutive pieces that could not be transcribed. */
  failures: z.int().min(0),
});

/** Where the next piece of a meeting in progress begins. Kept beside the state of the transcriber. */
export type LivePosition = Readonly<z.output<typeof POSITION>>;

const STATE = z.object({ live: POSITION });
const BEGINNING: LivePosition = { header: null, from: 0, origin: 0, failures: 0 };

/** `received`: bytes; with fewer than have been heard, they were sent again, and are heard from the beginning. */
export function readPosition(state: unknown, received = Infinity): LivePosition {
  const { live = BEGINNING } = STATE.safeParse(state).data ?? {};
  return live.from > received ? BEGINNING : live;
}

export const withPosition = (state: unknown, live: LivePosition): object => ({
  ...(state as object | null),
  live,
});
