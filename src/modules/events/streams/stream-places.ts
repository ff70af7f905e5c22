import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';

const RETRY = { headers: { 'Retry-After': '30' } };

/** The open streams of this process: at most `max`, and some for each user. */
export class StreamPlaces {
  private readonly taken = new Set<{ readonly userId: string }>();

  constructor(private readonly max: number) {}

  /** Returns what gives the place back. 429 `RATE_LIMITED`, 503 `SERVICE_UNAVAILABLE`. */
  take(userId: string): () => void {
    if ([...this.taken].filter((place) => place.userId === userId).length >= LIMITS.eventStreams) {
      const message = `You have ${LIMITS.eventStreams} open streams of events, and there cannot be more: close one first.`;
      throw new DomainError('RATE_LIMITED', message, RETRY);
    }
    if (this.taken.size >= this.max)
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
