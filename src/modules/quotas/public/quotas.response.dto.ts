import {
  IntegerProperty,
  NestedProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { Quotas } from '../quotas.service.js';

export class StorageQuota {
  @IntegerProperty(
    'Bytes of all recordings: sizes of the uploaded or imported files, and declared sizes of open uploads',
    { example: 734_003_200 },
  )
  used: number;

  @IntegerProperty('Maximum number of bytes; null: unlimited', { example: 1_099_511_627_776, nullable: true })
  limit: number | null;
}

export class RecordingsQuota {
  @IntegerProperty('Number of recordings, in any status', { example: 42 })
  used: number;

  @IntegerProperty('Maximum number of recordings; null: unlimited', { example: 100_000, nullable: true })
  limit: number | null;
}

export class DailyUploadsQuota {
  @IntegerProperty('Uploads started today (UTC), including canceled ones', { example: 3 })
  used: number;

  @IntegerProperty('Maximum number of uploads per day; null: unlimited', { example: 2000, nullable: true })
  limit: number | null;

  @TimestampProperty('When the next day begins, and `used` is 0 again', {
    example: '2026-02-01T00:00:00.000Z',
  })
  resets_at: string;
}

export class QuotaSet {
  @NestedProperty(() => StorageQuota, 'Stored bytes')
  stored_bytes: StorageQuota;

  @NestedProperty(() => RecordingsQuota, 'Recordings')
  recordings: RecordingsQuota;

  @NestedProperty(() => DailyUploadsQuota, 'Uploads per day')
  uploads_per_day: DailyUploadsQuota;
}

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
