/** What each plan includes. A new plan or feature is a new row or column here (see docs/extending.md). */
export const PLANS = ['FREE', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];

/** Plans a user can be on; ENTERPRISE is for organizations. */
export const USER_PLANS = ['FREE', 'PRO'] as const satisfies readonly Plan[];
export type UserPlan = (typeof USER_PLANS)[number];

/**
 * The plan of an organization that a user creates, or of a person whom they invite: the default, but no higher than
 * their own, as they could get around its limits there. Operators may give any plan.
 */
export const planMadeBy = (
  maker: { readonly plan: UserPlan; readonly operator: boolean },
  byDefault: UserPlan,
): UserPlan =>
  maker.operator || USER_PLANS.indexOf(maker.plan) >= USER_PLANS.indexOf(byDefault) ? byDefault : maker.plan;

export const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'] as const;
export type Feature = (typeof FEATURES)[number];
export type FeatureFlags = Readonly<Record<Feature, boolean>>;

export interface PlanRules {
  /** Recordings older than this many days are locked. `null`: none are. */
  readonly historyDays: number | null;
  readonly features: FeatureFlags;
}

const ALL_FEATURES = {
  downloads: true,
  sharing: true,
  transcription: true,
  summaries: true,
  questions: true,
} as const;

export const PLAN_CATALOG: Readonly<Record<Plan, PlanRules>> = {
  FREE: { historyDays: 30, features: { ...ALL_FEATURES, downloads: false, questions: false } },
  PRO: { historyDays: null, features: ALL_FEATURES },
  ENTERPRISE: { historyDays: null, features: ALL_FEATURES },
};

/** Why a feature is unavailable, in the order in which it is refused. */
export type FeatureRefusal = 'plan' | FlagRefusal;
export type FlagRefusal = 'organization_flag' | 'member_flag';
/** Null: it is available. */
export type FeatureRefusals = Readonly<Record<Feature, FeatureRefusal | null>>;

/** Feature flags; null: there are none, as of personal recordings. */
export interface FlagFacts {
  readonly organization: { readonly features: FeatureFlags } | null;
  readonly membership: { readonly features: FeatureFlags } | null;
}

/** Whose feature flag is off, the organization's first; null: neither is. */
export function flagRefusal(feature: Feature, { organization, membership }: FlagFacts): FlagRefusal | null {
  if (organization && !organization.features[feature]) return 'organization_flag';
  return membership && !membership.features[feature] ? 'member_flag' : null;
}

/** A feature must be included in the plan and enabled by the feature flags of the organization and of the member. */
export function featureRefusals(plan: Plan, facts: FlagFacts): FeatureRefusals {
  const refusal = (feature: Feature): FeatureRefusal | null =>
    PLAN_CATALOG[plan].features[feature] ? flagRefusal(feature, facts) : 'plan';
  return {
    downloads: refusal('downloads'),
    sharing: refusal('sharing'),
    transcription: refusal('transcription'),
    summaries: refusal('summaries'),
    questions: refusal('questions'),
  };
}

export const hasAllHistory = ({ historyDays }: PlanRules): boolean => historyDays === null;

/** The lowest plan whose rules hold what is asked of them; undefined if none do. */
export const lowestPlan = (includes: (rules: PlanRules) => boolean): Plan | undefined =>
  PLANS.find((plan) => includes(PLAN_CATALOG[plan]));

export const SUBSCRIPTION_STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export interface Subscription {
  readonly status: SubscriptionStatus;
  readonly endsAt: Date | null;
}

/** `active`, `trialing` and `past_due` count as active until the end date has passed. */
export function isSubscriptionActive(subscription: Subscription, now: Date): boolean {
  if (subscription.status === 'canceled' || subscription.status === 'expired') return false;
  return subscription.endsAt === null || subscription.endsAt > now;
}

/** What gives a plan: the owner, or the organization, which falls to FREE when its subscription has ended. */
export type PlanSource = 'owner' | 'organization' | 'ended subscription';

/** The effective plan of an organization's recordings, and whether its Enterprise subscription has ended. */
export function organizationStanding(
  plan: Plan,
  subscription: Subscription,
  now: Date,
): { plan: Plan; planSource: PlanSource; expired: boolean } {
  const isActive = isSubscriptionActive(subscription, now);
  if (isActive || plan === 'FREE') return { plan, planSource: 'organization', expired: false };
  if (plan === 'ENTERPRISE') return { plan, planSource: 'organization', expired: true };
  return { plan: 'FREE', planSource: 'ended subscription', expired: false };
}

/** Limits of a plan; null: unlimited. The operator sets them. */
export interface QuotaLimits {
  /** Bytes. */
  readonly storedBytes: number | null;
  readonly recordings: number | null;
  readonly uploadsPerDay: number | null;
}

/** What a user or an organization has. */
export interface QuotaUse {
  /** Bytes, including the declared rest of open uploads. */
  readonly storedBytes: number;
  readonly recordings: number;
  /** Uploads started since midnight (UTC). */
  readonly uploadsToday: number;
}

/** What a transaction has added, so that `QuotaUse` includes it, and what is known to follow. */
export interface QuotaDemand {
  readonly creates: boolean;
  /** Whether it has started an upload; by default, if it has created a recording. */
  readonly starts?: boolean;
  /** Bytes it has added. */
  readonly added: number;
  /** Bytes that will follow, at least. */
  readonly ahead: number;
}

export type QuotaKind = keyof QuotaLimits;

/** The first quota that a transaction exceeds; null if there is room for what it adds. */
export function exceededQuota(limits: QuotaLimits, use: QuotaUse, demand: QuotaDemand): QuotaKind | null {
  const { creates, starts = creates, added, ahead } = demand;
  if (creates && exceeds(use.recordings, limits.recordings)) return 'recordings';
  if (starts && exceeds(use.uploadsToday, limits.uploadsPerDay)) return 'uploadsPerDay';
  return added + ahead > 0 && exceeds(use.storedBytes + ahead, limits.storedBytes) ? 'storedBytes' : null;
}

const exceeds = (amount: number, limit: number | null): boolean => limit !== null && amount > limit;
