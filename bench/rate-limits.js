/** The largest values: requests are counted as in production, and none is refused. */
export const HIGH_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_COSTLY_PER_MINUTE: '1000000',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
  RATE_LIMIT_PASSWORDS_PER_MINUTE: '1000000',
};
