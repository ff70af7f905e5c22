import { z } from '../../../lib/zod.js';
import { PlatformError } from '../../errors/platform-error.js';
import { isUuid } from '../../ids.js';
import { isStorable } from '../../../lib/text.js';
import { NEWEST, OLDEST } from '../../clock/timestamps.js';

/** Layout: `createdAt` in milliseconds, then the id. */
const TIME_BYTES = 8;
const BYTES = TIME_BYTES + 16;

/** Position of a row in a list ordered by `createdAt` and `id`. */
export interface CursorPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** A page of such a list. `nextCursor` is null exactly when `hasMore` is false. */
export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

/** Encodes the position of a row; opaque to clients. */
export function writeCursor({ createdAt, id }: CursorPosition): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeBigInt64BE(BigInt(createdAt.getTime()));
  bytes.write(id.replaceAll('-', ''), TIME_BYTES, 'hex');
  return bytes.toString('base64url');
}

/** The position after which the list continues; undefined for the first page. */
export function readCursor(cursor: string | undefined): CursorPosition | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const time = bytes.length === BYTES ? Number(bytes.readBigInt64BE()) : NaN;
  if (bytes.toString('base64url') !== cursor || !(time >= OLDEST && time <= NEWEST)) throw refused();
  const id = bytes.toString('hex', TIME_BYTES);
  return {
    createdAt: new Date(time),
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  };
}

/** Builds a page from `found`, read with `LIMIT limit + 1`: the extra row indicates that more follow. */
export function cursorPage<Row>(
  found: readonly Row[],
  limit: number,
  positionOf: (row: Row) => CursorPosition,
): CursorPage<Row> {
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = rows.at(-1);
  return { rows, limit, hasMore, nextCursor: hasMore && last ? writeCursor(positionOf(last)) : null };
}

/** Position of a row in a list ordered by name and id. */
export interface NamePosition {
  readonly name: string;
  readonly id: string;
}

const NAME_POSITION = z.tuple([z.string().refine(isStorable), z.string().refine(isUuid)]);

export const writeNameCursor = ({ name, id }: NamePosition): string =>
  Buffer.from(JSON.stringify([name, id])).toString('base64url');

export function readNameCursor(cursor: string | undefined): NamePosition | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [name, id] = NAME_POSITION.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (writeNameCursor({ name, id }) === cursor) return { name, id };
  } catch {
    // Not written by `writeNameCursor` either.
  }
  throw refused();
}

/** Place in a list by rank, which changes with what is ranked: nothing better than a number is known. */
export const writeOffsetCursor = (offset: number): string =>
  Buffer.from(`after ${offset}`).toString('base64url');

export function readOffsetCursor(cursor: string): number {
  const offset = Number(Buffer.from(cursor, 'base64url').toString().replace('after ', ''));
  if (!Number.isSafeInteger(offset) || offset < 0 || writeOffsetCursor(offset) !== cursor) throw refused();
  return offset;
}

const refused = (): PlatformError =>
  new PlatformError('VALIDATION_ERROR', 'cursor: must be the unmodified next_cursor of a previous page');
