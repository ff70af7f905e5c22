import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Ids for things that have no name of their own to be found by: UUIDs version 7 that are the same for the same content,
 * so that importing a file twice finds what the first time made. Twins within a file are told apart by their number.
 */
export class StableIds {
  private readonly seen = new Map<string, number>();

  next(content: unknown, createdAt: Date | undefined): string {
    const text = JSON.stringify(content);
    const twins = this.seen.get(text) ?? 0;
    this.seen.set(text, twins + 1);
    const hash = createHash('sha256').update(`${twins} ${text}`).digest();
    return v7({ msecs: createdAt?.getTime() ?? 0, random: hash.subarray(0, 16), seq: hash.readUInt32BE(16) });
  }
}
