import type { DataSource } from 'typeorm';

interface Filling {
  readonly organizationId: string;
  readonly actorId: string;
  readonly rows: number;
  /** The time of the newest row. */
  readonly until?: Date;
  /** Milliseconds between two rows. */
  readonly everyMs?: number;
  /** Padding in the details of each row, to make it longer. */
  readonly fields?: number;
}

const BATCH = 10_000;

/** One type in a hundred is rare, and there are as many recordings as a hundredth of the rows. */
const FILL = `
  INSERT INTO change_log (at, type, actor_kind, actor_id, organization_id, recording_id, target_id, user_id, request_id, details)
  SELECT $4::timestamptz - n * make_interval(secs => $5::float8 / 1000),
    CASE WHEN n % 100 = 0 THEN 'share_link.created' WHEN n % 3 = 0 THEN 'recording.updated' ELSE 'transcript.corrected' END,
    'user', $2, $1, md5('recording' || n % ($3::int / 100 + 1))::uuid,
    CASE WHEN n % 100 = 0 THEN md5('link' || n)::uuid ELSE md5('recording' || n % ($3::int / 100 + 1))::uuid END,
    NULL, md5('request' || n), $8::jsonb
  FROM generate_series($6::int, $7::int) AS n`;

/** Fills the change log with rows of an organization, as if they had been written in the past. */
export async function fillChangeLog(
  dataSource: DataSource,
  { organizationId, actorId, rows, until = new Date(), everyMs = 1_000, fields = 1 }: Filling,
): Promise<void> {
  const oldest = new Date(until.getTime() - rows * everyMs);
  const months = Math.ceil((until.getTime() - oldest.getTime()) / (28 * 86_400_000)) + 1;
  await dataSource.query('SELECT create_change_log_partitions($1, $2)', [oldest, months]);
  const details = JSON.stringify({ fields: Array<string>(fields).fill('title') });
  for (let from = 0; from < rows; from += BATCH) {
    const to = Math.min(from + BATCH, rows) - 1;
    await dataSource.query(FILL, [organizationId, actorId, rows, until, everyMs, from, to, details]);
  }
}
