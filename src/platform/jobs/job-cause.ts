import { CHANGE_SOURCE } from '../database/transaction-by.js';
import { type Sql, sql } from '../database/sql.js';
import { traceHeaders } from '../telemetry/spans.js';
import { causeOfJob, type Cause } from '../telemetry/cause.js';

/** The field of a payload with the cause of the job; handlers do not see it. */
const FIELD = '_cause';

/**
 * SQL for a JSON payload with the cause of the job: that of the running job that enqueues it, otherwise the request on
 * whose behalf the transaction makes changes. A job that is enqueued again thus has the newest cause.
 */
export function withCause(payload: Sql): Sql {
  const ofJob = causeOfJob();
  const given = ofJob?.requestId === undefined ? null : JSON.stringify({ ...ofJob, ...traceHeaders() });
  const source = sql`nullif(current_setting(${() => `'${CHANGE_SOURCE}'`}, true), '')::jsonb`;
  const cause = sql`coalesce(${given}::jsonb, (
    SELECT jsonb_object_agg(key, value) FROM jsonb_each(${source}) WHERE key IN ('requestId', 'traceparent')))`;
  return sql`CASE WHEN json_typeof(${payload}) = 'object'
    THEN (${payload}::jsonb || jsonb_strip_nulls(jsonb_build_object(${() => `'${FIELD}'`}, ${cause})))::json ELSE ${payload} END`;
}

/** Separates the cause from what the handler gets. Payloads that are no objects, and older jobs, have none. */
export function splitCause(payload: unknown): readonly [cause: Cause, own: unknown] {
  if (typeof payload !== 'object' || payload === null || !(FIELD in payload)) return [{}, payload];
  const { [FIELD]: cause, ...own } = payload;
  return [cause as Cause, own];
}
