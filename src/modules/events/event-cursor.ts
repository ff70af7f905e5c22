import { DomainError } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { NEWEST, OLDEST } from '../../platform/timestamps.js';

const DAY_MS = 86_400_000;
/** Layout: the time in milliseconds, then the position. */
const TIME_BYTES = 8;
const BYTES = TIME_BYTES + 8;

/** How far a reader has come. */
export interface EventPosition {
  /** Of the last event that was passed. */
  readonly position: bigint;
  /** Everything after the position was published later than this. */
  readonly at: Date;
}

/** Opaque to clients. */
export function writeEventCursor({ position, at }: EventPosition): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeBigInt64BE(BigInt(at.getTime()));
  bytes.writeBigInt64BE(position, TIME_BYTES);
  return bytes.toString('base64url');
}

/** 400 `VALIDATION_ERROR`; 410 `CURSOR_EXPIRED` if some of what follows it may have been forgotten. */
export function readEventCursor(cursor: string, now: Date): EventPosition {
  const bytes = Buffer.from(cursor, 'base64url');
  const isWhole = bytes.length === BYTES && bytes.toString('base64url') === cursor;
  const time = isWhole ? Number(bytes.readBigInt64BE()) : NaN;
  const position = isWhole ? bytes.readBigInt64BE(TIME_BYTES) : -1n;
  if (!(time >= OLDEST && time <= NEWEST) || position < 0n) {
    throw new DomainError(
      'VALIDATION_ERROR',
      'cursor: must be an unmodified next_cursor of GET /events, or an id of GET /events/stream',
    );
  }
  if (time < now.getTime() - LIMITS.eventDays * DAY_MS) throw new DomainError('CURSOR_EXPIRED');
  return { position, at: new Date(time) };
}
