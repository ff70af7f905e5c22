import type { UserPlan } from './plans.js';

/** The authenticated user and their API key. Passed explicitly as the first argument of service methods. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: UserPlan;
  /** Manages all users, and the plans of organizations. */
  readonly operator: boolean;
  readonly apiKey: { readonly id: string; readonly name: string; readonly prefix: string };
}
