import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createApp, listen, stop } from '../../src/app.js';
import type { ImportReport } from '../../src/modules/workspace/import-report.js';
import { WorkspaceImportService } from '../../src/modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../src/modules/workspace/workspace-reader.service.js';
import { Clock } from '../../src/platform/clock.js';
import { Client } from './client.js';
import { createDatabase } from './database.js';

export interface TestService {
  readonly app: NestExpressApplication;
  readonly api: Client;
  readonly dataSource: DataSource;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Loads a workspace as the command line does; `files` are laid beside it. */
  import(workspace: object, files?: Record<string, string | Uint8Array>): Promise<ImportReport>;
  /** Stops the clock of the service at a moment; null lets it run. */
  setNow(now: Date | null): void;
  /** The files in its object store, relative to it. */
  objects(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Runs on the database and the folder of another one, which is to be stopped later than this one. */
  readonly beside?: TestService;
  /** `false`: answers requests but leaves the jobs to others, as if it died before it came to them. */
  readonly jobs?: boolean;
}

/** The whole service in this process, on a database and a folder of its own. */
export async function startService(
  settings: Record<string, string> = {},
  { beside, jobs = true }: ServiceOptions = {},
): Promise<TestService> {
  const dataDir = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'mrs-e2e-')));
  const database = beside ? { url: beside.databaseUrl, drop: async () => {} } : await createDatabase();
  const service = await createApp({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  });
  const app = service.nest;
  const port = jobs ? await listen(service) : await listenWithoutJobs(app);
  const clock = app.get(Clock);
  const realNow = clock.now.bind(clock);
  return {
    app,
    api: new Client(`http://127.0.0.1:${port}`),
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
      const root = join(dataDir, 'objects');
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    },
    stop: async () => {
      await stop(service);
      if (beside) return;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function listenWithoutJobs(app: NestExpressApplication): Promise<number> {
  await app.listen(0, '127.0.0.1');
  return ((app.getHttpServer() as Server).address() as AddressInfo).port;
}

/** Looks again and again until it holds; for what a job does soon after a reply. */
export async function eventually(look: () => Promise<void>, withinMs = 5_000): Promise<void> {
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
