import type { Quotas } from '../quotas.service.js';
import type { QuotaSet } from './quotas.response.dto.js';

export function presentQuotas({ limits, use, resetsAt }: Quotas): QuotaSet {
  return {
    stored_bytes: { used: use.storedBytes, limit: limits.storedBytes },
    recordings: { used: use.recordings, limit: limits.recordings },
    uploads_per_day: {
      used: use.uploadsToday,
      limit: limits.uploadsPerDay,
      resets_at: resetsAt.toISOString(),
    },
  };
}
