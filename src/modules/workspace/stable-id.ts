import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * A UUID version 7 that is the same for the same content, so that importing a file twice finds what the first time
 * made. Only for things that have no name of their own to be found by.
 */
export function stableId(content: unknown, createdAt: Date | undefined): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest();
  return v7({ msecs: createdAt?.getTime() ?? 0, random: hash.subarray(0, 16), seq: hash.readUInt32BE(16) });
}
