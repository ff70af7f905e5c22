import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesText, durationText } from '../../../lib/amounts.js';
import { projectVersion } from '../../../lib/project-root.js';
import { counted } from '../../../lib/text.js';
import { hasWorkers } from '../../../platform/jobs/job-keeper.js';
import { askService, type Service } from '../../ask-service.js';
import { placeOf } from '../existing-database.js';
import { CommandError, EXIT } from '../exit-status.js';
import { fieldLines, print, type Output } from '../output.js';
import { withReader } from '../reader.js';
import { countByStatus, readDatabaseFacts, readQueueFacts } from './status.queries.js';

/** Below either, an upload of the usual size may fail. */
const LITTLE_SPACE = { bytes: 2e9, fraction: 0.05 };
/** A worker takes what waits within seconds, unless all of its slots are taken. */
const LONG_WAIT_S = 15 * 60;

export async function showStatus(options: Output): Promise<void> {
  await withReader(
    async ({ settings, manager, url }) => {
      const [asked, disk] = [await askService(settings), await readDisk(settings.dataDir)];
      const [database, recordings] = [await readDatabaseFacts(manager), await countByStatus(manager)];
      const { instance, ...answer } = asked;
      // While a service is not ready, it does not say which database it uses.
      const isAnother = answer.isTaken && answer.problem === null && instance !== database.instance;
      const service = { ...answer, answers: answer.answers && !isAnother, isAnother };
      const [queue, workerRuns] = [await readQueueFacts(manager), await hasWorkers(url)];
      const found = { service, workerRuns, disk, dataDir: settings.dataDir, database, queue };
      const problems = problemsIn(found);
      const { node } = process.versions;
      const versions = { service: projectVersion(), node, postgresql: database.version };
      const place = placeOf(settings);
      const data = settings.s3 ? `bucket ${settings.s3.bucket}` : join(settings.dataDir, 'objects');
      const lines: [name: string, value: string][] = [
        ['service', `${service.answers ? 'running' : 'not running'} at ${service.url}`],
        ['worker', workerRuns ? 'running' : 'not running'],
        ['versions', `service ${versions.service}, Node ${versions.node}, PostgreSQL ${versions.postgresql}`],
        ['database', `${settings.databaseUrl ? '' : 'embedded, in '}${place}, ${bytesText(database.bytes)}`],
        ['media', `${data}, ${bytesText(database.storedBytes)} uploaded`],
        [
          'disk',
          disk ? `${bytesText(disk.free)} of ${bytesText(disk.total)} free for ${settings.dataDir}` : '-',
        ],
        ['accounts', `users: ${database.users}, organizations: ${database.organizations}`],
        ['recordings', recordings.map(({ status, count }) => `${status}: ${count}`).join(', ') || 'none'],
        [
          'jobs',
          `running: ${queue.running}, waiting: ${queue.waiting}, scheduled: ${queue.scheduled}, failed: ${queue.failed}`,
        ],
        ...problems.map((problem): [string, string] => ['problem', problem]),
      ];
      const ok = problems.length === 0;
      const shown = `${fieldLines(lines)}${ok ? '\nNo problems found.' : ''}`;
      print(options, { ok, problems, versions, place, ...found, recordings }, shown);
      if (!ok) throw new CommandError(EXIT.failure, `Found ${counted(problems.length, 'problem')}.`);
    },
    { migrates: false },
  );
}

interface Facts {
  readonly service: Omit<Service, 'instance'> & { readonly isAnother: boolean };
  readonly workerRuns: boolean;
  /** Bytes. */
  readonly disk: { readonly free: number; readonly total: number } | null;
  readonly dataDir: string;
  readonly database: Awaited<ReturnType<typeof readDatabaseFacts>>;
  readonly queue: Awaited<ReturnType<typeof readQueueFacts>>;
}

function problemsIn({ service, workerRuns, disk, dataDir, database, queue }: Facts): string[] {
  const checks: [isWrong: boolean, problem: string][] = [
    [
      service.isAnother,
      `Another service listens on port ${new URL(service.url).port}, at ${service.url}. Set PORT to the port of the service of these data; or, to start it there, stop the other one.`,
    ],
    [
      !service.answers && !service.isAnother,
      `The service is not running at ${service.url}. Start it: npm start`,
    ],
    [service.answers && service.problem !== null, `The service is not ready: ${service.problem}`],
    [
      service.answers && !workerRuns,
      'No worker is running, so uploads stay in PROCESSING. Start one: npm run start:worker',
    ],
    [disk === null, `DATA_DIR: there is no folder ${dataDir}`],
    [
      disk !== null && (disk.free < LITTLE_SPACE.bytes || disk.free < LITTLE_SPACE.fraction * disk.total),
      `The disk is nearly full: ${bytesText(disk?.free ?? 0)} are free for ${dataDir}`,
    ],
    [
      database.pendingMigrations.length > 0,
      `The database is of an older release; the next start changes it: ${database.pendingMigrations.join(', ')}`,
    ],
    [
      (queue.waitingFor ?? 0) > LONG_WAIT_S && workerRuns,
      `A job has waited for ${durationText(queue.waitingFor ?? 0)}: all slots are taken, or jobs fail; see the log of the worker.`,
    ],
    [queue.failed > 0, `${counted(queue.failed, 'job')} failed for good; see the log of the worker.`],
  ];
  return checks.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []));
}

/** Null if there is no such folder, as a database of `DATABASE_URL` may be used without it. */
async function readDisk(folder: string): Promise<Facts['disk']> {
  if (!existsSync(folder)) return null;
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
