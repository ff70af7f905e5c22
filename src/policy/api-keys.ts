/** What decides whether an API key works. */
export interface KeyFacts {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  /** Null if its user was deleted. */
  readonly userId: string | null;
}

export type KeyRefusal = 'INVALID_API_KEY' | 'API_KEY_EXPIRED' | 'USER_NOT_FOUND';

/** Why an API key does not work, in the order of the contract; null if it does. */
export function keyRefusal({ revokedAt, expiresAt, userId }: KeyFacts, now: Date): KeyRefusal | null {
  if (revokedAt !== null) return 'INVALID_API_KEY';
  if (expiresAt !== null && expiresAt <= now) return 'API_KEY_EXPIRED';
  return userId === null ? 'USER_NOT_FOUND' : null;
}
