import type { UserPlan } from './plans.js';

/** Who asks: the user a key belongs to, and the key. The explicit first argument of service methods. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: UserPlan;
  readonly apiKey: { readonly id: string; readonly name: string; readonly prefix: string };
}
