import { hostname } from 'node:os';
import { join } from 'node:path';
import { bytesText, durationText } from '../../../lib/amounts.js';
import { diskUsage } from '../../../lib/disk-usage.js';
import { projectVersion } from '../../../lib/project-root.js';
import { counted, singleLine } from '../../../lib/text.js';
import { LONG_WAIT_S } from '../../../modules/health/instance.queries.js';
import type { Settings } from '../../../platform/config/settings.js';
import { sql } from '../../../platform/database/sql.js';
import { hasWorkers } from '../../../platform/jobs/jobs.queries.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { askService, urlOf } from '../../listening-port.js';
import { CommandError, EXIT } from '../exit-status.js';
import { placeOf, withDatabase, type Host } from '../host.js';
import { fieldLines, print, type Output } from '../output.js';
import {
  readDatabaseFacts,
  readInstallation,
  readQueues,
  type ProcessFacts,
  type QueueFacts,
} from './facts.queries.js';
import { findProblems } from './findings.queries.js';

/** Below either, an upload of the usual size may fail. */
const LITTLE_SPACE = { bytes: 2e9, fraction: 0.05 };

export async function showStatus(options: Output): Promise<void> {
  await withDatabase(
    async (host) => {
      const { settings } = host;
      const found = await readFacts(host);
      const { service, workerRuns, disk, database, installation, recordings } = found;
      const [queue, ...queues] = found.queues;
      const problems = [
        ...problemsIn(found),
        ...(installation ? await findProblems(host.manager, settings.quotas, workerRuns) : []),
      ].map(singleLine);
      const { node } = process.versions;
      const versions = { service: projectVersion(), node, postgresql: database.version };
      const place = placeOf(settings);
      const data = settings.s3 ? `bucket ${settings.s3.bucket}` : join(settings.dataDir, 'objects');
      const lines: [name: string, value: string][] = [
        ['service', service.answers ? 'running' : 'not running'],
        ['worker', workerRuns ? 'running' : 'not running'],
        ...(installation?.processes ?? []).map((one): [string, string] => ['process', processText(one)]),
        ['versions', `service ${versions.service}, Node ${versions.node}, PostgreSQL ${versions.postgresql}`],
        ['database', `${settings.databaseUrl ? '' : 'embedded, in '}${place}, ${bytesText(database.bytes)}`],
        ['media', `${data}, ${bytesText(database.storedBytes)} uploaded`],
        [
          'disk',
          disk ? `${bytesText(disk.free)} of ${bytesText(disk.total)} free for ${settings.dataDir}` : '-',
        ],
        ['accounts', `users: ${database.users}, organizations: ${database.organizations}`],
        ['recordings', recordings.map(({ status, count }) => `${status}: ${count}`).join(', ') || 'none'],
        ...found.queues.map((one): [string, string] => ['jobs', queueText(one)]),
        ['last backup', installation?.backup?.finishedAt ?? 'none'],
        ['last seal', installation?.sealedAt ?? 'none'],
        ...(installation?.slowest ?? []).map(({ name, count, mean, longest }): [string, string] => [
          'slowest',
          `${name}  ${count} in the last hour, on average ${mean} ms, at most ${longest} ms`,
        ]),
        ...problems.map((problem): [string, string] => ['problem', problem]),
      ];
      const ok = problems.length === 0;
      const shown = `${fieldLines(lines)}${ok ? '\nNo problems found.' : ''}`;
      const { installation: _, queues: _all, ...facts } = found;
      print(options, { ok, problems, versions, place, ...facts, queue, queues, ...installation }, shown);
      if (!ok) throw new CommandError(EXIT.failure, `Found ${counted(problems.length, 'problem')}.`);
    },
    { migrates: false },
  );
}

async function readFacts({ settings, manager }: Host) {
  const database = await readDatabaseFacts(manager);
  const isCurrent = database.pendingMigrations.length === 0;
  const installation = isCurrent ? await readInstallation(manager) : null;
  return {
    service: await readService(settings, installation?.processes ?? [], database.instance),
    workerRuns: await hasWorkers(manager),
    disk: await diskUsage(settings.dataDir),
    dataDir: settings.dataDir,
    database,
    queues: await readQueues(manager),
    installation,
    recordings: await sql(manager)<{ readonly status: RecordingStatus; readonly count: number }>`
      SELECT status, count(*)::int AS count FROM recordings GROUP BY status ORDER BY count DESC, status`,
  };
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

function problemsIn({ service, workerRuns, disk, dataDir, database, queues }: Facts): string[] {
  const { free, total } = disk ?? { free: Infinity, total: 0 };
  const problems = [
    !service.answers && 'The service is not running on any host. Start it: npm start',
    service.problem !== null && `The service is not ready: ${service.problem}`,
    service.answers &&
      !workerRuns &&
      'No worker is running, so uploads stay in PROCESSING. Start one: npm run start:worker',
    disk === null && `DATA_DIR: there is no folder ${dataDir}`,
    (free < LITTLE_SPACE.bytes || free < LITTLE_SPACE.fraction * total) &&
      `The disk is nearly full: ${bytesText(free)} are free for ${dataDir}`,
    database.pendingMigrations.length > 0 &&
      `The database is of an older release; the next start changes it: ${database.pendingMigrations.join(', ')}`,
    ...queues
      .slice(1)
      .flatMap(({ kind, waitingFor, failed }) => [
        workerRuns &&
          (waitingFor ?? 0) > LONG_WAIT_S &&
          `A job of ${kind} has waited for ${durationText(waitingFor ?? 0)}: all slots are taken, or jobs fail; see mrs jobs list --kind ${kind}, and the log of the worker.`,
        failed > 0 &&
          `${counted(failed, 'job')} of ${kind} failed for good: see mrs jobs list --kind ${kind} --state failed, then mrs jobs retry ID or mrs jobs drop ID`,
      ]),
  ];
  return problems.filter((problem) => problem !== false);
}

/** Whether it runs, on any host; and, if it runs on this one, why it is not ready. */
async function readService(settings: Settings, processes: readonly ProcessFacts[], own: string) {
  const running = processes.filter(({ role, notSeenFor }) => role === 'api' && notSeenFor === null);
  const isHere = running.some(({ host }) => host === hostname());
  const { instance, problem } = isHere ? await askService(settings) : { instance: own, problem: null };
  // While a service is not ready, it does not say which database it uses.
  const isOwn = instance === null || instance === own;
  return { url: urlOf(settings), answers: running.length > 0, problem: isOwn ? problem : null };
}

const queueText = ({ kind, running, waiting, scheduled, failed, waitingFor }: QueueFacts): string =>
  `${kind === null ? '' : `${kind}  `}running: ${running}, waiting: ${waiting}, scheduled: ${scheduled}, failed: ${failed}${
    waitingFor === null ? '' : `, the oldest due for ${durationText(waitingFor)}`
  }`;

const processText = ({ role, host, pid, version, startedAt, notSeenFor }: ProcessFacts): string =>
  `${role} on ${singleLine(host)}, pid ${pid}, ${version}, ${
    notSeenFor === null ? `since ${startedAt}` : `not seen for ${durationText(notSeenFor)}`
  }`;
