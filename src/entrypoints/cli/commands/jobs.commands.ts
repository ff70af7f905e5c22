import { counted, singleLine } from '../../../lib/text.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import {
  findJobs,
  retryJobs,
  useUpAttempts,
  type JobFilter,
  type OperatorJob,
} from '../../../platform/jobs/operator-jobs.queries.js';
import { redact } from '../../../platform/logging/redact.js';
import { notFound, refused, usageError } from '../exit-status.js';
import { withDatabase, withService, type Host } from '../host.js';
import { fieldLines, print, printList, type ListOptions, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

/** Of an error in a list. */
const MAX_SHOWN = 100;

export const listJobs = (options: ListOptions & Omit<JobFilter, 'id'>): Promise<void> =>
  withDatabase(async ({ manager }) => {
    // There may be a million.
    const jobs = await findJobs(manager, options, options.limit);
    await printList(options, jobs.map(shown), {
      cells: ({ lastError, ...job }) => [
        job.id,
        job.kind,
        job.state,
        `${job.attempts}/${job.maxAttempts}`,
        job.runAt.toISOString(),
        job.recordingId ?? '-',
        singleLine(lastError ?? '').slice(0, MAX_SHOWN),
      ],
      titles: ['ID', 'KIND', 'STATE', 'ATTEMPTS', 'RUN AT', 'RECORDING', 'LAST ERROR'],
      none: 'No jobs found.',
    });
  });

export const showJob = (id: string, options: Output): Promise<void> =>
  withDatabase(async (host) => {
    const job = shown(await requireJob(host, id));
    const lines: [string, string | null][] = [
      ['id', job.id],
      ['kind', job.kind],
      ['state', `${job.state}, attempts: ${job.attempts} of ${job.maxAttempts}`],
      ['run at', job.runAt.toISOString()],
      ['created', job.createdAt.toISOString()],
      ['recording', job.recordingId],
      ['request', job.requestId],
      ['payload', JSON.stringify(job.payload)],
      ['last error', job.lastError],
    ];
    print(options, job, fieldLines(lines.map(([name, value]) => [name, singleLine(value ?? '-')])));
  });

export async function retryJob(
  id: string | undefined,
  { failed = false, kind, ...options }: Output & { readonly failed?: boolean; readonly kind?: string },
): Promise<void> {
  if ((id === undefined) === !failed) throw usageError('give the id of a job, or --failed');
  await withDatabase(async (host) => {
    const { manager } = host;
    const jobs = failed
      ? await findJobs(manager, { kind, state: 'failed' }, Number.MAX_SAFE_INTEGER)
      : [await requireJob(host, id ?? '')];
    const retried = await retryJobs(
      manager,
      jobs.map((job) => job.id),
    );
    if (!failed && retried === 0) throw refused(`${id}: the job is running`);
    print(options, { retried }, `Due now: ${counted(retried, 'job')}.`);
  });
}

/** As if its last attempt had failed: what waits for it learns that it has. */
export const dropJob = (id: string, options: Output & Confirmable): Promise<void> =>
  withService(async ({ get, ...host }) => {
    const job = await requireJob(host, id);
    const of = job.recordingId === null ? '' : ` of recording ${singleLine(job.recordingId)}`;
    await confirm(`Drop job ${job.id}, ${job.kind}${of}, which has not been done`, options);
    if (!(await useUpAttempts(host.manager, job.id))) throw refused(`${id}: the job is running`);
    await get(JobsService).giveUp(host.manager, job);
    print(options, { dropped: job.id }, `Dropped job ${job.id}, ${job.kind}${of}.`);
  });

async function requireJob({ manager }: Pick<Host, 'manager'>, id: string): Promise<OperatorJob> {
  const [job] = /^\d{1,18}$/.test(id) ? await findJobs(manager, { id }, 1) : [];
  if (job) return job;
  throw notFound(`${id}: there is no job with this id (jobs list); those that are done are removed`);
}

/** Without secrets, as the log has it. */
const shown = ({ payload, lastError, ...job }: OperatorJob): OperatorJob => ({
  ...job,
  lastError: lastError && redact(lastError),
  payload: JSON.parse(redact(JSON.stringify(payload))),
});
