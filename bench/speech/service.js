import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/prepare.js';
import { onEnd } from '../endings.js';
import { freePort, startGroup, startProcess, untilReady } from '../processes.js';

const SERVICE = join(ROOT, 'dist', 'src', 'main.js');
const RECORDINGS = 40;
const EMAIL = 'speaker@bench.test';

export const KEY = 'mrs_speaker'.padEnd(44, '0');
/** Of another user. */
export const OTHER_KEY = 'mrs_other'.padEnd(44, '0');

/** Recordings without media, so that lists have full pages. */
export const IMPORTED = Array.from(
  { length: RECORDINGS },
  (_, n) => `01a1edfd-0000-7000-8000-${String(n).padStart(12, '0')}`,
);

/**
 * The API and a worker with their default settings, as with `npm start`, on a new data folder with one user. The final
 * cleanup stops them and removes the folder.
 */
export async function startService(folder) {
  mkdirSync(folder, { recursive: true });
  const dataDir = mkdtempSync(join(folder, 'service-'));
  onEnd(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  // The service uses it as well. Opened here, it is stopped even if the service is killed.
  const { EmbeddedPostgres } = await import('../../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const postgres = await EmbeddedPostgres.open({ dataDir });
  onEnd(() => postgres.release());
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), DEMO: 'false' };
  await importUser(dataDir, env);
  const group = startGroup(process.execPath, [SERVICE], {
    // Outside the project, whose `.env` would otherwise apply.
    cwd: dataDir,
    env,
    // Its log would hide the progress of the bench.
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${env.PORT}`;
  await untilReady(`${base}/health/ready`, group);
  return { base, dataDir, pid: group.child.pid, databaseUrl: postgres.url };
}

async function importUser(dataDir, env) {
  const file = join(dataDir, 'workspace.json');
  writeFileSync(file, JSON.stringify(workspace()));
  const cli = startProcess(process.execPath, [join(ROOT, 'scripts', 'cli.js'), 'import', file], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await cli.ended;
  if (cli.child.exitCode !== 0) throw new Error('the user of the bench was not imported');
}

const keys = (key) => [{ name: 'bench', key }];

function workspace() {
  return {
    users: [
      { email: EMAIL, name: 'Speaker', plan: 'PRO', apiKeys: keys(KEY) },
      { email: 'other@bench.test', name: 'Other', plan: 'PRO', apiKeys: keys(OTHER_KEY) },
    ],
    recordings: IMPORTED.map((id) => ({ id, owner: EMAIL, title: 'Weekly sync', status: 'COMPLETED' })),
  };
}
