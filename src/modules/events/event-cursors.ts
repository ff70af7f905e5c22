import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, invalid } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { decrypt, encrypt } from '../../platform/sealing/authenticated-encryption.js';
import { Sealer } from '../../platform/sealing/sealer.js';
import { NEWEST, OLDEST } from '../../platform/clock/timestamps.js';
import { DAY_MS } from '../../lib/durations.js';

/** The layout of what is encrypted: the time in milliseconds, then the position. */
const TIME_BYTES = 8;
const BYTES = TIME_BYTES + 8;
const PURPOSE = 'event cursors';

/** The place up to which a reader has come. */
export interface EventPosition {
  /** That of the last event that was passed. */
  readonly position: bigint;
  /** Everything after the position was published later than this. */
  readonly at: Date;
}

/** Cursors are encrypted and bound to their reader, as positions count the events of everybody. */
@Injectable()
export class EventCursors {
  /** The current key comes first. */
  private readonly keys: readonly KeyObject[];

  constructor(sealer: Sealer) {
    this.keys = sealer.derive(PURPOSE).map((secret) => createSecretKey(secret));
  }

  write(userId: string, { position, at }: EventPosition): string {
    const bytes = Buffer.alloc(BYTES);
    bytes.writeBigInt64BE(BigInt(at.getTime()));
    bytes.writeBigInt64BE(position, TIME_BYTES);
    return encrypt(this.keys[0]!, bytes, Buffer.from(userId)).toString('base64url');
  }

  /** 400 `VALIDATION_ERROR`; 410 `CURSOR_EXPIRED` if some of what follows it may have been forgotten. */
  read(userId: string, cursor: string, now: Date): EventPosition {
    const encrypted = Buffer.from(cursor, 'base64url');
    const bytes = encrypted.toString('base64url') === cursor ? this.open(userId, encrypted) : null;
    const time = Number(bytes?.readBigInt64BE());
    if (bytes === null || !(time >= OLDEST && time <= NEWEST)) {
      throw invalid(
        'cursor: must be an unmodified next_cursor of GET /events, or an id of GET /events/stream, that the same user received; after the key of the service has been replaced, begin without a cursor',
      );
    }
    if (time < now.getTime() - LIMITS.eventDays * DAY_MS) throw new DomainError('CURSOR_EXPIRED');
    return { position: bytes.readBigInt64BE(TIME_BYTES), at: new Date(time) };
  }

  /** Returns null if it was not written for this user, or with a key that is no longer accepted. */
  private open(userId: string, encrypted: Buffer): Buffer | null {
    for (const key of this.keys) {
      try {
        return decrypt(key, encrypted, Buffer.from(userId));
      } catch {
        // Perhaps with an earlier one.
      }
    }
    return null;
  }
}
