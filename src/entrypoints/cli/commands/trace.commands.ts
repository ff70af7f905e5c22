import { createReadStream } from 'node:fs';
import { JOBS_SCHEMA } from '../../../platform/database/jobs-schema.js';
import { sql } from '../../../platform/database/sql.js';
import { isUuid } from '../../../platform/ids.js';
import { textOf } from '../../../platform/logging/readable-log.js';
import { redact } from '../../../platform/logging/redact.js';
import { shortened, singleLine } from '../../../lib/text.js';
import { notFound, usageError } from '../exit-status.js';
import { withDatabase, type Host } from '../host.js';
import { printList, type ListOptions } from '../output.js';

interface TraceOptions extends ListOptions {
  /** Files with lines of the log; `-` for standard input. */
  readonly log?: readonly string[];
}

/** Something that happened: a change, an attempt at a webhook, a job that is not done, or a line of the log. */
interface Step {
  readonly at: Date;
  readonly source: 'change' | 'webhook' | 'job' | 'log';
  readonly what: string;
  /** The recording or whatever else it is about. */
  readonly about: string | null;
  readonly who: string | null;
  readonly request_id: string | null;
}

/** Characters of a description. */
const MAX_WHAT = 500;
/** A line of the log that is longer is skipped: the service writes none. */
const MAX_LINE = 65_536;

/** Prints what happened to a request, a recording or a user, in order. */
export async function traceId(id: string, options: TraceOptions): Promise<void> {
  await withDatabase(async (host) => {
    const steps = await findSteps(host, id, options.limit);
    for (const file of options.log ?? []) await readLog(file, id, options.limit, steps);
    const newest = inOrder(steps).slice(-options.limit);
    if (newest.length === 0) throw notFound(`${id}: there is no trace of a request, recording or user`);
    const shown = newest.map((step) => ({ ...step, what: shortened(redact(step.what), MAX_WHAT) }));
    await printList(options, shown, {
      cells: ({ at, what, about, who, request_id: requestId }) =>
        [at.toISOString(), what, about ?? '-', who ?? '-', requestId ?? '-'].map(singleLine),
      titles: ['TIME', 'WHAT', 'ABOUT', 'WHO', 'REQUEST'],
      none: '',
    });
  });
}

const inOrder = (steps: readonly Step[]): Step[] =>
  steps.toSorted((one, other) => one.at.getTime() - other.at.getTime());

/** The newest steps that the database knows of. Jobs that are done leave only what they changed. */
function findSteps({ manager }: Host, id: string, limit: number): Promise<Step[]> {
  const uuid = isUuid(id) ? id : null;
  const most = Number.isFinite(limit) ? limit : null;
  return sql(manager)<Step>`
    WITH changes AS (
      SELECT * FROM change_log
      WHERE request_id = ${id} OR ${uuid}::uuid IN (recording_id, target_id, user_id, actor_id)
      ORDER BY at DESC, id DESC LIMIT ${most}::bigint
    ), steps AS (
      SELECT at, 'change' AS source, concat_ws(' ', type, nullif(details::text, '{}')) AS what,
             coalesce(recording_id, target_id)::text AS about, concat_ws(' ', actor_kind, actor_id) AS who, request_id
      FROM changes
      UNION ALL
      SELECT a.at, 'webhook', concat(d.type, ' to ', a.url, ': ', coalesce(a.response_status::text, a.error)), d.webhook_id::text, NULL, c.request_id
      FROM changes c JOIN webhook_deliveries d ON d.event_id = c.id JOIN webhook_attempts a ON a.delivery_id = d.id
      UNION ALL
      SELECT j.created_at, 'job', concat(t.identifier, CASE WHEN j.locked_at IS NOT NULL THEN ' is running'
               WHEN j.attempts >= j.max_attempts THEN ' has failed' ELSE concat(' is due at ', to_json(j.run_at) #>> '{}') END,
               ', failures: ' || nullif(j.attempts - (j.locked_at IS NOT NULL)::int, 0), ': ' || j.last_error),
             j.payload ->> 'recordingId', NULL, j.payload #>> '{_cause,requestId}'
      FROM ${() => JOBS_SCHEMA}._private_jobs j JOIN ${() => JOBS_SCHEMA}._private_tasks t ON t.id = j.task_id
      WHERE j.payload #>> '{_cause,requestId}' = ${id} OR j.payload ->> 'recordingId' = ${id} OR j.flags ? ${`user:${id}`}
    )
    SELECT * FROM steps ORDER BY at DESC LIMIT ${most}::bigint`;
}

/** Adds the lines that name the id, of which it keeps the newest. What is no line of the log is skipped. */
async function readLog(file: string, id: string, limit: number, steps: Step[]): Promise<void> {
  try {
    for await (const line of linesOf(file === '-' ? process.stdin : createReadStream(file))) {
      if (line.includes(id)) steps.push(...stepsOf(line, id));
      if (steps.length > 2 * limit) steps.splice(0, Infinity, ...inOrder(steps).slice(-limit));
    }
  } catch (error) {
    throw usageError(`--log: ${file} cannot be read: ${(error as Error).message}`);
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    // Of a line that is too long, the beginning alone is no JSON.
    rest = lines.pop()!.slice(0, MAX_LINE + 1);
    yield* lines.filter(({ length }) => length <= MAX_LINE);
  }
  yield rest;
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function stepsOf(text: string, id: string): Step[] {
  try {
    const line = JSON.parse(Buffer.from(text, 'latin1').toString()) as Readonly<Record<string, unknown>>;
    const { time, level: _, traceId: __, requestId, userId, recordingId, ...rest } = line;
    const names = [requestId, userId, recordingId, ...String(rest['path']).split('/')].includes(id);
    const at = new Date(String(time));
    if (!names || Number.isNaN(at.getTime())) return [];
    const [about, user, request] = [textIn(recordingId), textIn(userId), textIn(requestId)];
    const who = user && `user ${user}`;
    return [{ at, source: 'log', what: textOf(rest), about, who, request_id: request }];
  } catch {
    // No JSON, or fields that are no texts.
    return [];
  }
}
