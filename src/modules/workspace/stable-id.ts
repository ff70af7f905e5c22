import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Ids for entries without a unique name: version 7 UUIDs derived from the content, so that importing a file again finds
 * what the first import created. Identical entries within a file are distinguished by a counter.
 */
export class StableIds {
  private readonly seen = new Map<string, number>();

  next(content: unknown, createdAt: Date | undefined): string {
    const text = JSON.stringify(content);
    const duplicates = this.seen.get(text) ?? 0;
    this.seen.set(text, duplicates + 1);
    const hash = createHash('sha256').update(`${duplicates} ${text}`).digest();
    return v7({ msecs: createdAt?.getTime() ?? 0, random: hash.subarray(0, 16), seq: hash.readUInt32BE(16) });
  }
}
