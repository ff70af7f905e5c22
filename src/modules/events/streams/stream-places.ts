import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { takePlace } from '../../../platform/runtime/places.js';

const RETRY = { headers: { 'Retry-After': '30' } };

/** The open streams: some for each user, over all processes on this port, and at most `max` in this process. */
export class StreamPlaces {
  private taken = 0;

  constructor(private readonly max: number) {}

  /** Resolves to what gives the place back. 429 `RATE_LIMITED`, 503 `SERVICE_UNAVAILABLE`. */
  async take(userId: string): Promise<() => void> {
    const giveBack = await takePlace(`event streams of ${userId}`, LIMITS.eventStreams);
    if (!giveBack) {
      const message = `You have ${LIMITS.eventStreams} open streams of events, and there cannot be more: close one first.`;
      throw new DomainError('RATE_LIMITED', message, RETRY);
    }
    if (this.taken >= this.max) {
      giveBack();
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many open streams of events; try again later.',
        RETRY,
      );
    }
    this.taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.taken -= 1;
      giveBack();
    };
  }
}
