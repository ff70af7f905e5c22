import type { EntityManager } from 'typeorm';
import type { Settings } from '../../../platform/config/settings.js';
import { sql, type Sql } from '../../../platform/database/sql.js';
import { IS_STALE } from '../../../platform/processes/processes.queries.js';

const timeOf = (column: Sql): Sql => sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')`;

/** A problem that names the first of the rows with a text, `one`; none if there are no rows. */
const listed = (what: string, rows: Sql, advice: string): Sql => sql`
  SELECT format('%s (%s): %s. %s', ${what}::text, max(n), string_agg(one, ', '), ${advice}::text)
  FROM (SELECT one, count(*) OVER () AS n FROM (${rows}) AS found LIMIT 10) AS shown HAVING count(*) > 0`;

const failingWebhooks = sql`SELECT format('%s (%s) since %s', id, url_masked, ${timeOf(sql`failing_since`)}) AS one
  FROM webhooks WHERE enabled AND failing_since < now() - interval '1 hour' ORDER BY failing_since`;

/** That of the settings is first of all the operator's. What has not been taken is kept and sent later. */
const failingStreams = sql`SELECT format('%s since %s (%s)', coalesce(organization_id::text, 'AUDIT_STREAM_URL'),
    ${timeOf(sql`failing_since`)}, last_error) AS one
  FROM audit_streams WHERE due_at IS NOT NULL AND failing_since < now() - interval '15 minutes'
  ORDER BY organization_id IS NOT NULL, failing_since`;

/** Those in use that were to work for longer, and have no successor. */
const expiringKeys = sql`SELECT format('%s (%s) on %s', prefix, name, ${timeOf(sql`expires_at`)}) AS one
  FROM api_keys
  WHERE expires_at BETWEEN now() AND now() + interval '14 days' AND expires_at > created_at + interval '14 days'
    AND signed_in_by IS NULL AND oauth_client IS NULL AND revoked_at IS NULL AND replaced_by IS NULL AND user_id IS NOT NULL AND last_used_at IS NOT NULL
  ORDER BY expires_at`;

/** Users and organizations that use 90 % of the storage of their plan. `quotas`: bytes by plan. */
const fullQuotas = (
  quotas: string,
): Sql => sql`SELECT format('%s (%s): %s of %s', id, name, pg_size_pretty(used), pg_size_pretty(quota)) AS one
  FROM (SELECT scope_id AS id, sum(stored_bytes) AS used FROM quota_usage GROUP BY scope_id) AS uses
  JOIN (SELECT id, name, plan FROM users UNION ALL SELECT id, name, plan FROM organizations WHERE deleted_at IS NULL)
    AS owners USING (id),
  LATERAL (SELECT (${quotas}::jsonb ->> plan)::numeric AS quota) AS limits
  WHERE used >= 0.9 * quota ORDER BY used / quota DESC`;

/** Finds what somebody should see to, wherever it runs, and says what to do. */
export async function findProblems(
  manager: EntityManager,
  quotas: Settings['quotas'],
  workerRuns: boolean,
): Promise<string[]> {
  const limits = Object.entries(quotas).map(([plan, { storedBytes }]) => [plan, storedBytes] as const);
  const rows = await sql(manager)<{ problem: string }>`
    SELECT format('%s process on %s (pid %s) was last seen at %s, and nothing has replaced it: it was killed, or cannot reach the database. Start it again.',
      CASE role WHEN 'api' THEN 'An API' ELSE 'A worker' END, host, pid, ${timeOf(sql`seen_at`)}) AS problem
    FROM processes gone WHERE ${IS_STALE}
      AND NOT EXISTS (SELECT FROM processes p WHERE p.role = gone.role AND p.started_at > gone.seen_at)
    UNION ALL SELECT format('Different versions are running: %s. Restart the processes of the older one with the newer.',
      string_agg(DISTINCT version, ', '))
    FROM processes WHERE NOT ${IS_STALE} HAVING count(DISTINCT version) > 1
    UNION ALL ${listed('Webhooks fail', failingWebhooks, 'Whoever runs the receiver sees why with GET /webhooks/ID/deliveries.')}
    UNION ALL ${listed('Receivers of the audit log take nothing', failingStreams, 'See to them: what is older than AUDIT_DAYS is lost.')}
    UNION ALL ${listed('Nearly out of storage', fullQuotas(JSON.stringify(Object.fromEntries(limits))), 'Delete recordings, or change the plan or QUOTA_..._STORED_BYTES.')}
    UNION ALL ${listed('API keys in use expire soon', expiringKeys, 'Replace each: mrs keys rotate KEY')}
    UNION ALL SELECT format('The last backup was made at %s, on %s. Make one: mrs backup FOLDER', ${timeOf(sql`finished_at`)}, host)
    FROM backups WHERE finished_at < now() - interval '7 days'
    UNION ALL SELECT format('Changes in the audit log have waited for their seal since %s; see mrs jobs list --kind audit.seal',
      ${timeOf(sql`min(at)`)})
    FROM unsealed_changes HAVING min(at) < now() - interval '1 hour' AND ${workerRuns}::boolean`;
  return rows.map(({ problem }) => problem);
}
