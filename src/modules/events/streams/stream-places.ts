import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';

const RETRY = { headers: { 'Retry-After': '30' } };

/** How many streams there may be in this process: half of all connections, and some of each user. */
@Injectable()
export class StreamPlaces {
  private readonly taken = new Set<{ readonly userId: string }>();
  private readonly most: number;

  constructor(@Inject(SETTINGS) { maxConnections }: Settings) {
    this.most = Math.ceil(maxConnections / 2);
  }

  /** Returns what gives the place back. 429 `RATE_LIMITED`, 503 `SERVICE_UNAVAILABLE`. */
  take(userId: string): () => void {
    if ([...this.taken].filter((place) => place.userId === userId).length >= LIMITS.eventStreams) {
      const message = `You have ${LIMITS.eventStreams} open streams of events, and there cannot be more: close one first.`;
      throw new DomainError('RATE_LIMITED', message, RETRY);
    }
    if (this.taken.size >= this.most)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many open streams of events; try again later.',
        RETRY,
      );
    const place = { userId };
    this.taken.add(place);
    return () => void this.taken.delete(place);
  }
}
