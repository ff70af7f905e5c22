import type { Removal } from '../contract/changes/change-details.js';
import { USER_PLANS, type Plan, type UserPlan } from './plans.js';

export const RETENTION_SOURCES = ['organization', 'folder', 'plan', 'installation'] as const;
export type RetentionSource = (typeof RETENTION_SOURCES)[number];

export const COUNTED_FROM = ['meeting', 'last_view'] as const;
export type CountedFrom = (typeof COUNTED_FROM)[number];

/** A rule as an organization has set it. */
export interface OrganizationRule {
  readonly id: string;
  readonly removes: Removal;
  readonly days: number;
  readonly counted_from: CountedFrom;
  /** Null: in every folder, and outside of folders. */
  readonly folder_id: string | null;
  readonly except: {
    /** Patterns, in which `*` stands for anything. */
    readonly titles: readonly string[];
    readonly owner_ids: readonly string[];
    readonly folder_ids: readonly string[];
  };
  /** ISO time before which the rule removes nothing: `notice_days` after it was set. */
  readonly effective_at: string;
}

export interface OrganizationRetention {
  readonly noticeDays: number;
  readonly rules: readonly OrganizationRule[];
}

/** Days after which the installation removes recordings; null: never. */
export interface RetentionCaps {
  readonly personal: number | null;
  readonly plans: Readonly<Record<Plan, number | null>>;
}

/** A rule as it applies to recordings: those of an organization, or personal ones. */
export interface RetentionRule extends Omit<OrganizationRule, 'id'> {
  /** Null for those of the installation. */
  readonly id: string | null;
  readonly source: RetentionSource;
  /** Null: for personal recordings. */
  readonly organization_id: string | null;
  /** Only for the personal recordings of users on this plan; null: of all. */
  readonly owner_plan: UserPlan | null;
  /** How many days in advance a removal is announced. */
  readonly notice_days: number;
}

export type AppliedRule = Pick<RetentionRule, 'id' | 'removes' | 'source'>;

/** What will be removed next of a recording: when, and by which rule. */
export interface Retention {
  readonly endsAt: Date;
  readonly rule: AppliedRule;
}

/** A limit of the installation on how long everything is kept. */
const CAP = {
  id: null,
  removes: 'all',
  counted_from: 'meeting',
  folder_id: null,
  except: { titles: [], owner_ids: [], folder_ids: [] },
  effective_at: new Date(0).toISOString(),
  organization_id: null,
  owner_plan: null,
  notice_days: 7,
} as const;

/** At the same time, the rule that removes the most counts. */
const MOST_FIRST: readonly Removal[] = ['all', 'media', 'transcript', 'original'];

/** The rules for the recordings of an organization: its own, and what its plan permits, also after the subscription has ended. */
export function organizationRules(
  organization: OrganizationRetention & { readonly id: string; readonly plan: Plan },
  { plans }: RetentionCaps,
): RetentionRule[] {
  const { id, plan, noticeDays, rules } = organization;
  const own = rules.map((rule) => ({
    ...rule,
    source: rule.folder_id === null ? ('organization' as const) : ('folder' as const),
    organization_id: id,
    owner_plan: null,
    // Zero days leave no time for a notice.
    notice_days: rule.days === 0 ? 0 : noticeDays,
  }));
  const days = plans[plan];
  const cap = days === null ? [] : [{ ...CAP, source: 'plan' as const, organization_id: id, days }];
  return [...own, ...cap].toSorted((a, b) => MOST_FIRST.indexOf(a.removes) - MOST_FIRST.indexOf(b.removes));
}

/** The rules for personal recordings. */
export function personalRules({ personal, plans }: RetentionCaps): RetentionRule[] {
  const ofAll = personal === null ? [] : [{ ...CAP, source: 'installation' as const, days: personal }];
  const ofPlans = USER_PLANS.flatMap((plan) => {
    const days = plans[plan];
    return days === null ? [] : [{ ...CAP, source: 'plan' as const, owner_plan: plan, days }];
  });
  return [...ofAll, ...ofPlans];
}
