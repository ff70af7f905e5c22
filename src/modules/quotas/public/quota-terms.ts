import type { Settings } from '../../../platform/config/settings.js';
import {
  organizationStanding,
  type Plan,
  type SubscriptionStatus,
  type QuotaUse,
} from '../../../policy/plans.js';
import type { Quotas } from '../quotas.service.js';
import { DAY_MS } from '../../../lib/durations.js';

/** Columns of an organization. */
export interface OrganizationTerms {
  readonly plan: Plan;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
}

export function effectivePlan(row: OrganizationTerms, now: Date): Plan {
  const subscription = { status: row.subscription_status, endsAt: row.subscription_ends_at };
  return organizationStanding(row.plan, subscription, now).plan;
}

export function quotasOf(plan: Plan, use: QuotaUse, limits: Settings['quotas'], now: Date): Quotas {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return { limits: limits[plan], use, resetsAt: new Date(midnight + DAY_MS) };
}
