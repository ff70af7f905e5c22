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
export function planMadeBy(
  maker: { readonly plan: UserPlan; readonly operator: boolean },
  byDefault: UserPlan,
): UserPlan {
  return maker.operator || USER_PLANS.indexOf(maker.plan) >= USER_PLANS.indexOf(byDefault)
    ? byDefault
    : maker.plan;
}

export const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'] as const;
export type Feature = (typeof FEATURES)[number];
export type FeatureFlags = Readonly<Record<Feature, boolean>>;

export interface PlanRules {
  /** Recordings older than this many days are locked. `null`: none are. */
  readonly historyDays: number | null;
  readonly features: FeatureFlags;
}

export const PLAN_CATALOG: Readonly<Record<Plan, PlanRules>> = {
  FREE: {
    historyDays: 30,
    features: { downloads: false, sharing: true, transcription: true, summaries: true, questions: false },
  },
  PRO: {
    historyDays: null,
    features: { downloads: true, sharing: true, transcription: true, summaries: true, questions: true },
  },
  ENTERPRISE: {
    historyDays: null,
    features: { downloads: true, sharing: true, transcription: true, summaries: true, questions: true },
  },
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
export function lowestPlan(includes: (rules: PlanRules) => boolean): Plan | undefined {
  return PLANS.find((plan) => includes(PLAN_CATALOG[plan]));
}

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

/**
 * What gives recordings their plan: their owner if they are personal, or their organization, which falls to FREE when
 * its subscription to a higher plan has ended.
 */
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
