import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createApp, listen, stop } from '../../src/entrypoints/app.js';
import { startWorker as startWorkerHere } from '../../src/entrypoints/start-worker.js';
import type { ImportReport } from '../../src/modules/workspace/import-run.js';
import { WorkspaceImportService } from '../../src/modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../src/modules/workspace/workspace-reader.service.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { SERVER_LIMITS } from '../../src/platform/http/server/server-limits.js';
import { ObjectStore } from '../../src/platform/storage/object-store.js';
import { ConfinedParser, type ParserTask } from '../../src/platform/work/confined-parser.service.js';
import { Client } from './client.js';
import { Contract, inlined, type OpenApi } from './contract.js';
import { createDatabase } from './database.js';
import { noteAnsweredRoutes } from './routes.js';
import { PgBouncer } from './pgbouncer.js';
import { HASTE, MANUAL } from './settings.js';

export interface TestService {
  readonly app: NestExpressApplication;
  readonly api: Client;
  readonly dataSource: DataSource;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Imports a workspace like the command line; `files` are placed beside it. */
  import(workspace: object, files?: Record<string, string | Uint8Array>): Promise<ImportReport>;
  /** Stops the clock of the API at a time; null lets it run. A worker, also in this process, keeps the real time. */
  setNow(now: Date | null): void;
  /** The keys in the object store. */
  objects(): Promise<string[]>;
  /** A worker process on the same database and folder; stopped together with the service. */
  startWorker(settings?: Record<string, string>): Promise<WorkerProcess>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Runs on the database and folder of another service, which must be stopped after this one. */
  readonly beside?: TestService;
  /** Also runs jobs, in this process. */
  readonly worker?: boolean;
  /** Modules that the API has besides its own. */
  readonly modules?: readonly Type[];
  /** Replies are checked against the document of the service itself, not `openapi.json`. */
  readonly documentsItself?: boolean;
  /** Requests are generated: that a route is among them does not count as a test of it. */
  readonly generated?: boolean;
  /** Parses files of callers in confined processes, as in production, instead of in this process, which is faster. */
  readonly confined?: boolean;
  /** Limits that replace the usual ones. */
  readonly limits?: Partial<typeof SERVER_LIMITS>;
}

export interface WorkerProcess {
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Settings of a service with a transcription server that does not exist. */
export const WITH_TRANSCRIBER = { TRANSCRIPTION_URL: 'http://127.0.0.1:9/v1', TRANSCRIPTION_MODEL: 'none' };

const WORKER = fileURLToPath(new URL('../../dist/src/entrypoints/worker.js', import.meta.url));

/** Whether the requests of every service go through a PgBouncer of its own in transaction mode, as documented. */
const IS_POOLED = process.env['MRS_TEST_PGBOUNCER'] === 'true';

/** The URLs of databases through it. */
const POOLED = new Map<string, string>();

/** The services in this process, by their URL. */
export const SERVICES = new Map<string, NestExpressApplication>();

/** The API in this process, on its own database and folder. */
export async function startService(
  settings: Record<string, string> = {},
  {
    beside,
    worker = false,
    modules,
    documentsItself = false,
    generated = false,
    confined = false,
    limits,
  }: ServiceOptions = {},
): Promise<TestService> {
  const dataDir = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'mrs-e2e-')));
  const database = beside ? { url: beside.databaseUrl, drop: async () => {} } : await createDatabase();
  const bouncer = IS_POOLED && !beside ? await PgBouncer.start(database.url) : undefined;
  if (bouncer) POOLED.set(database.url, bouncer.url);
  const pooled = POOLED.get(database.url);
  const environment = {
    DATABASE_URL: pooled ?? database.url,
    ...(pooled && { DATABASE_DIRECT_URL: database.url }),
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...MANUAL,
    ...HASTE,
    ...settings,
  };
  const service = await createApp(environment, modules);
  const app = service.nest;
  if (!confined) app.get(ConfinedParser).run = parseHere;
  const port = await listen(service, { ...SERVER_LIMITS, ...limits });
  if (!generated) noteAnsweredRoutes(app);
  const base = `http://127.0.0.1:${port}`;
  const api = new Client(base, undefined, modules || documentsItself ? await contractOf(base) : undefined);
  const clock = app.get(Clock);
  const realNow = clock.now.bind(clock);
  const workers: WorkerProcess[] = [];
  const startWorker = async (more: Record<string, string> = {}): Promise<WorkerProcess> => {
    const started = await runWorker({ ...environment, ...more });
    workers.push(started);
    return started;
  };
  SERVICES.set(base, service.nest);
  const workerHere = worker ? await startWorkerHere(environment) : undefined;
  return {
    app,
    api,
    dataSource: app.get<DataSource>(getDataSourceToken()),
    dataDir,
    databaseUrl: database.url,
    import: async (workspace, files = {}) => {
      const folder = await mkdtemp(join(dataDir, 'workspace-'));
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
      await writeFile(join(folder, 'workspace.json'), JSON.stringify(workspace));
      const read = await app.get(WorkspaceReaderService).read(join(folder, 'workspace.json'));
      return app.get(WorkspaceImportService).import(read);
    },
    setNow: (now) => {
      clock.now = now ? () => now : realNow;
    },
    objects: async () => {
      const keys: string[] = [];
      for await (const { key } of app.get(ObjectStore).list('')) keys.push(key);
      return keys.sort();
    },
    startWorker,
    stop: async () => {
      for (const running of workers) await running.kill('SIGKILL');
      await workerHere?.stop();
      await stop(service);
      if (beside) return;
      await bouncer?.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Loads a module into Node itself; see `test/jest/environment.js`. */
declare const importIntoNode: (url: string) => Promise<never>;

async function parseHere<Options>(
  { module }: ParserTask<Options>,
  bytes: Uint8Array,
  options: Options,
): Promise<Uint8Array<ArrayBuffer>> {
  const parser: { default: (bytes: Uint8Array, options: Options) => string | Promise<string> } =
    await importIntoNode(module);
  return new TextEncoder().encode(await parser.default(bytes, options));
}

/** The API document of a running service, including the operations of an extension. */
async function contractOf(base: string): Promise<Contract> {
  const response = await fetch(`${base}/docs/openapi.json`);
  return new Contract(inlined((await response.json()) as OpenApi));
}

/** What `npm run start:worker` runs; resolves when it accepts jobs. */
async function runWorker(environment: Record<string, string>): Promise<WorkerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(process.execPath, [WORKER], {
    env: { PATH, HOME, ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const ready = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('worker started')) resolve();
    });
  });
  await Promise.race([ready, ended]);
  if (child.pid === undefined || child.exitCode !== null) throw new Error('The worker did not start');
  return {
    pid: child.pid,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Polls until the condition holds; for effects of a job shortly after a reply. The limit only ends what hangs. */
export async function eventually(look: () => Promise<void>, withinMs = 60_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      await look();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(50);
    }
  }
}

/** Resolves when this many sessions of the service's database wait for a lock. */
export const waitingForLocks = ({ dataSource }: TestService, count: number): Promise<void> =>
  eventually(async () => {
    const [row]: { count: number }[] = await dataSource.query(
      `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (row?.count !== count) throw new Error(`${row?.count} sessions wait for a lock, not ${count}`);
  });
