import type { Plan, SubscriptionStatus } from '../../../../policy/plans.js';
import type { AccessFacts } from '../../../../policy/recording-access.js';
import type { Role } from '../../../../policy/roles.js';
import { decodeFeatureFlags, featureFlagsSql } from '../../../organizations/public/feature-flags.sql.js';
import { column, time, type RowOf } from './columns.js';

/**
 * What the decision takes from an organization and a membership in it, which is the same for all of its recordings.
 * Flags are read by `decodeFeatureFlags`.
 */
export const TERMS = {
  organization_plan: column<Plan | null>('o.plan'),
  subscription_status: column<SubscriptionStatus>('o.subscription_status'),
  subscription_ends_at: time<Date | null>('o.subscription_ends_at'),
  organization_flags: column<number>(featureFlagsSql('o')),
  role: column<Role | null>('m.role'),
  view_all_recordings: column<boolean>('m.view_all_recordings'),
  view_folder_recordings: column<boolean>('m.view_folder_recordings'),
  member_flags: column<number>(featureFlagsSql('m')),
};

export type TermsRow = RowOf<typeof TERMS>;

export function toTerms(row: TermsRow): Pick<AccessFacts, 'organization' | 'membership'> {
  return {
    organization: row.organization_plan && {
      plan: row.organization_plan,
      subscription: { status: row.subscription_status, endsAt: row.subscription_ends_at },
      features: decodeFeatureFlags(row.organization_flags),
    },
    membership: row.role && {
      role: row.role,
      viewAllRecordings: row.view_all_recordings,
      viewFolderRecordings: row.view_folder_recordings,
      features: decodeFeatureFlags(row.member_flags),
    },
  };
}
