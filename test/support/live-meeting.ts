import { expect } from '@jest/globals';
import type { Client } from './client.js';
import { created, RawTus } from './uploads.js';

/** An upload to which bytes are added as they are recorded. */
export class LiveMeeting {
  private offset = 0;

  private constructor(
    readonly id: string,
    private readonly tus: RawTus,
  ) {}

  static async begin(api: Client, fields: object = {}): Promise<LiveMeeting> {
    const { id } = await created(api, fields);
    return new LiveMeeting(id, new RawTus(api, id));
  }

  async send(bytes: Uint8Array, isLast = false): Promise<void> {
    const headers = isLast ? { 'upload-length': String(this.offset + bytes.length) } : undefined;
    const { status } = await this.tus.patch(this.offset, bytes, headers);
    expect(status).toBe(204);
    this.offset += bytes.length;
  }

  /** Sends a file in pieces; after each but the last, waits for `isHeard` with the share of it that was sent. */
  async record(media: Buffer, pieces: number, isHeard: (share: number) => Promise<void>): Promise<void> {
    for (let piece = 1; piece <= pieces; piece += 1) {
      const end = Math.floor((media.length * piece) / pieces);
      const isLast = piece === pieces;
      await this.send(media.subarray(this.offset, end), isLast);
      if (!isLast) await isHeard(piece / pieces);
    }
  }
}
