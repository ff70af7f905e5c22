import type { Plan } from '../../policy/plans.js';
import type { QuotaDemand, QuotaKind } from '../../policy/quotas.js';
import type { Quotas } from './quotas.service.js';

export interface QuotaHolder {
  readonly plan: Plan;
  readonly isOrganization: boolean;
}

const MAKE_ROOM = 'Delete recordings, or have the limit raised.';

/** Says which limit there is, how much of it was used before, and what helps. */
export function explainQuota(
  kind: QuotaKind,
  { plan, isOrganization }: QuotaHolder,
  { limits, use, resetsAt }: Quotas,
  { creates, starts = creates, added, ahead }: QuotaDemand,
): string {
  const included = `${isOrganization ? "The organization's" : 'Your'} ${plan} plan includes ${limits[kind]}`;
  switch (kind) {
    case 'recordings':
      return `${included} recordings, and there are ${use.recordings - Number(creates)}. ${MAKE_ROOM}`;
    case 'uploadsPerDay':
      return `${included} uploads a day, and ${use.uploadsToday - Number(starts)} have been started today. The next day begins at ${resetsAt.toISOString()}.`;
    case 'storedBytes':
      return `${included} bytes, of which ${use.storedBytes - added} are used, and at least ${added + ahead} more are needed. ${MAKE_ROOM}`;
  }
}
