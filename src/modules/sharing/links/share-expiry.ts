import { DomainError } from '../../../contract/domain-error.js';
import { parseTimestamp } from '../../../platform/timestamps.js';

/** The time of a field `expires_at`; 400 `VALIDATION_ERROR` unless it is after `now`. */
export function requireFuture(text: string, now: Date): Date {
  const date = parseTimestamp(text)?.date;
  if (!date || date <= now) {
    throw new DomainError('VALIDATION_ERROR', 'expires_at: must be an ISO 8601 time in the future, or null');
  }
  return date;
}
