import type { Quotas } from '../quotas/quotas.service.js';
import type { DetailsRow } from './organizations.queries.js';
import type { OrganizationDetails, PendingTransfer } from './organizations.service.js';
import { decodeFeatureFlags } from './public/feature-flags.sql.js';

/** What a viewer sees of an organization; `viewerId` is null on the command line. */
export function detailsOf(
  viewerId: string | null,
  row: DetailsRow,
  quotas: Quotas | null,
): OrganizationDetails {
  return {
    ...row,
    quotas,
    features: decodeFeatureFlags(row.flags),
    subscriptionStatus: row.subscription_status,
    subscriptionEndsAt: row.subscription_ends_at,
    transfer: transferFor(viewerId, row),
  };
}

function transferFor(viewerId: string | null, row: DetailsRow): PendingTransfer | null {
  const { from_user_id: fromUserId, to_user_id: toUserId, role } = row;
  if (fromUserId === null || (role !== 'OWNER' && toUserId !== viewerId)) return null;
  return { fromUserId, toUserId, createdAt: row.offered_at, expiresAt: row.offer_expires_at };
}
