import type { Feature, Plan, SubscriptionStatus, UserPlan } from '../../policy/plans.js';
import type { MemberFlags } from '../../policy/management.js';

/** What a new entry gets for fields that the file leaves out. Existing entries keep what they have. */

export const USER_DEFAULTS: { readonly plan: UserPlan } = { plan: 'FREE' };

const FEATURES_ON: Readonly<Record<Feature, boolean>> = {
  downloads: true,
  sharing: true,
  transcription: true,
  summaries: true,
  questions: true,
};

interface OrganizationDefaults {
  readonly plan: Plan;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly features: Readonly<Record<Feature, boolean>>;
  readonly membersMayTakeRecordings: boolean;
}

export const ORGANIZATION_DEFAULTS: OrganizationDefaults = {
  plan: 'FREE',
  subscriptionStatus: 'active',
  features: FEATURES_ON,
  membersMayTakeRecordings: false,
};

export const MEMBER_DEFAULTS: MemberFlags = {
  ...FEATURES_ON,
  viewAllRecordings: false,
  viewFolderRecordings: true,
};
