import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';
import { JOBS_SCHEMA } from '../../platform/database/jobs-schema.js';
import type { Sample } from '../../platform/telemetry/process-metrics.js';
import { JOB_STATE } from '../../platform/jobs/operator-jobs.queries.js';

/** A value of a metric of the installation, and its labels. */
export type Figure = Sample & { readonly name: string };

/** Rows that are counted, at most. */
const MAX_ROWS = '100000';
/** Milliseconds, after which the database counts as away. */
const TIMEOUT_MS = '1200';

/** Reads all figures in one statement, which takes milliseconds: it counts what waits, by indexes, and no history. */
export async function readFigures(manager: EntityManager): Promise<Figure[]> {
  return manager.transaction('REPEATABLE READ', async (reading) => {
    await sql(reading)`SELECT set_config('statement_timeout', ${TIMEOUT_MS}, true)`;
    return sql(reading)<Figure>`
      WITH jobs AS (
        SELECT task_identifier AS task, run_at, ${JOB_STATE} AS state FROM ${() => JOBS_SCHEMA}.jobs LIMIT ${() => MAX_ROWS}
      ), due AS (
        SELECT d.due_at FROM webhooks w CROSS JOIN LATERAL (
          SELECT due_at FROM webhook_deliveries WHERE webhook_id = w.id AND status = 'pending' AND due_at <= now()) AS d
        WHERE w.enabled LIMIT ${() => MAX_ROWS}
      )
      SELECT name, labels, value::float8 AS value FROM (
        SELECT 'mrs_jobs' AS name, jsonb_build_object('task', task, 'state', state) AS labels, count(*) AS value
          FROM jobs GROUP BY task, state
        UNION ALL SELECT 'mrs_jobs_oldest_waiting_seconds', jsonb_build_object('task', task),
          extract(epoch FROM now() - min(run_at)) FROM jobs WHERE state = 'waiting' GROUP BY task
        UNION ALL SELECT 'mrs_webhook_deliveries_due', '{}', count(*) FROM due
        UNION ALL SELECT 'mrs_webhook_lag_seconds', '{}', coalesce(extract(epoch FROM now() - min(due_at)), 0) FROM due
        UNION ALL SELECT 'mrs_webhooks_failing', '{}', count(*) FROM webhooks WHERE enabled AND failing_since IS NOT NULL
        UNION ALL SELECT 'mrs_events_unpublished', '{}', count(*)
          FROM (SELECT FROM unpublished_changes LIMIT ${() => MAX_ROWS}) AS unpublished
        UNION ALL SELECT 'mrs_uploads_open', '{}', count(*) FROM uploads WHERE closed_at IS NULL
        UNION ALL SELECT 'mrs_storage_bytes', jsonb_build_object('kind', kind), coalesce(sum(stored_bytes), 0)
          FROM (SELECT CASE WHEN o.id IS NULL THEN 'personal' ELSE 'organization' END AS kind, q.stored_bytes
                FROM quota_usage q LEFT JOIN organizations o ON o.id = q.scope_id) AS stored GROUP BY kind
        UNION ALL SELECT 'mrs_database_size_bytes', '{}', pg_database_size(current_database())
        UNION ALL SELECT 'mrs_last_seal_timestamp_seconds', '{}', extract(epoch FROM sealed_at)
          FROM (SELECT sealed_at FROM audit_seals WHERE row_ids IS NOT NULL ORDER BY to_at DESC LIMIT 1) AS seal
        UNION ALL SELECT 'mrs_audit_unsealed_seconds', '{}', coalesce(extract(epoch FROM now() - min(at)), 0) FROM unsealed_changes
        UNION ALL SELECT 'mrs_last_backup_timestamp_seconds', '{}', extract(epoch FROM max(finished_at))
          FROM backups HAVING count(*) > 0
        UNION ALL SELECT 'mrs_audit_stream_lag_seconds', '{}', coalesce(max(extract(epoch FROM now() - audit_unsent_since(s))), 0)
          FROM audit_streams s WHERE due_at IS NOT NULL
      ) AS figures`;
  });
}
