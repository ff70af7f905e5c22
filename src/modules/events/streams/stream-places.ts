import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';

const RETRY = { headers: { 'Retry-After': '30' } };

/** How many streams there may be in this process: half of all connections, and some of each user. */
@Injectable()
export class StreamPlaces {
  private readonly taken = new Map<string, number>();
  private all = 0;
  private readonly most: number;

  constructor(@Inject(SETTINGS) { maxConnections }: Settings) {
    this.most = Math.ceil(maxConnections / 2);
  }

  /** Returns what gives the place back; calling it again does nothing. 429 `RATE_LIMITED`, 503 `SERVICE_UNAVAILABLE`. */
  take(userId: string): () => void {
    const taken = this.taken.get(userId) ?? 0;
    if (taken >= LIMITS.eventStreams) {
      const message = `You have ${LIMITS.eventStreams} open streams of events, and there cannot be more: close one first.`;
      throw new DomainError('RATE_LIMITED', message, RETRY);
    }
    if (this.all >= this.most)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many open streams of events; try again later.',
        RETRY,
      );
    this.change(userId, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.change(userId, -1);
      isTaken = false;
    };
  }

  private change(userId: string, by: number): void {
    const taken = (this.taken.get(userId) ?? 0) + by;
    this.all += by;
    if (taken > 0) this.taken.set(userId, taken);
    else this.taken.delete(userId);
  }
}
