import { presentQuotas } from '../quotas/public/quotas.presenter.js';
import type { PresentedOrganization } from './dto/organization.response.dto.js';
import type { OrganizationDetails } from './organizations.service.js';
import { presentTransfer } from './transfers/transfer.presenter.js';

export function presentOrganizationDetails(details: OrganizationDetails): PresentedOrganization {
  const { id, name, role, memberCount, quotas, features, plan, transfer } = details;
  const { downloads, sharing, transcription, summaries, questions } = features;
  return {
    id,
    name,
    role,
    member_count: memberCount,
    quotas: quotas && presentQuotas(quotas),
    features: { downloads, sharing, transcription, summaries, questions },
    members_may_take_recordings: details.membersMayTakeRecordings,
    api_key_max_days: details.apiKeyMaxDays,
    plan,
    subscription: {
      status: details.subscriptionStatus,
      ends_at: details.subscriptionEndsAt?.toISOString() ?? null,
    },
    transfer: transfer && presentTransfer(transfer),
    created_at: details.createdAt.toISOString(),
  };
}
