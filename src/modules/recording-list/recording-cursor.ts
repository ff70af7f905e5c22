import { DomainError } from '../../contract/domain-error.js';
import { NEWEST, OLDEST } from '../../platform/timestamps.js';
import type { ListPosition } from './recording-list.sql.js';

/** Milliseconds of `createdAt`, then the id. */
const TIME_BYTES = 8;
const BYTES = TIME_BYTES + 16;

/** The place of a recording in the list, for clients to hand back as they got it. */
export function writeCursor({ id, created_at: createdAt }: { id: string; created_at: Date }): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeBigInt64BE(BigInt(createdAt.getTime()));
  bytes.write(id.replaceAll('-', ''), TIME_BYTES, 'hex');
  return bytes.toString('base64url');
}

/** Where a list goes on; undefined for its beginning. */
export function readCursor({
  cursor,
  offset,
}: {
  readonly cursor?: string;
  readonly offset: number;
}): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  if (offset !== 0) {
    throw new DomainError('VALIDATION_ERROR', 'cursor: goes on from a page; leave out offset');
  }
  const bytes = Buffer.from(cursor, 'base64url');
  const time = bytes.length === BYTES ? Number(bytes.readBigInt64BE()) : NaN;
  if (bytes.toString('base64url') !== cursor || !(time >= OLDEST && time <= NEWEST)) {
    throw new DomainError('VALIDATION_ERROR', 'cursor: must be the next_cursor of a page, as it was given');
  }
  const id = bytes.toString('hex', TIME_BYTES);
  return {
    createdAt: new Date(time),
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  };
}
