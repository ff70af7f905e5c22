/** A limit on requests per minute. */
export interface BudgetDefinition {
  /** A user is counted over all their API keys; addresses as in `limitedAddress`; `all` together. */
  readonly by: 'user' | 'address' | 'all';
  /** Limits guessing: counted in the database, for all processes; others in memory, for those of one command. */
  readonly guesses: boolean;
  /** Setting that changes it; `0` means no limit. */
  readonly setting: `RATE_LIMIT_${string}`;
  /** Default of the setting: high enough that no ordinary script reaches it. */
  readonly perMinute: number;
  /** Message of the 429. */
  readonly refusal: string;
}

/** All limits. A request may use several: every costly one is also an ordinary one. */
export const BUDGETS = {
  user: {
    by: 'user',
    guesses: false,
    setting: 'RATE_LIMIT_PER_MINUTE',
    perMinute: 6_000,
    refusal: 'Too many requests by this user; see Retry-After.',
  },
  userCostly: {
    by: 'user',
    guesses: false,
    setting: 'RATE_LIMIT_COSTLY_PER_MINUTE',
    perMinute: 300,
    refusal: 'Too many costly requests by this user; see Retry-After.',
  },
  anonymous: {
    by: 'address',
    guesses: false,
    setting: 'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
    perMinute: 6_000,
    refusal: 'Too many requests from this address; see Retry-After.',
  },
  anonymousCostly: {
    by: 'address',
    guesses: true,
    setting: 'RATE_LIMIT_PASSWORDS_PER_MINUTE',
    perMinute: 60,
    refusal: 'Too many passwords or tokens tried from this address; see Retry-After.',
  },
  wrongKeys: {
    by: 'address',
    guesses: true,
    setting: 'RATE_LIMIT_WRONG_KEYS_PER_MINUTE',
    perMinute: 60,
    refusal: 'Too many requests with an invalid API key from this address; see Retry-After.',
  },
  // Of a hundred addresses that each use up their own limit.
  allWrongKeys: {
    by: 'all',
    guesses: true,
    setting: 'RATE_LIMIT_ALL_WRONG_KEYS_PER_MINUTE',
    perMinute: 6_000,
    refusal: 'Too many requests with an invalid API key; see Retry-After.',
  },
} as const satisfies Record<string, BudgetDefinition>;

export type BudgetName = keyof typeof BUDGETS;

export const BUDGET_NAMES = Object.keys(BUDGETS) as BudgetName[];
