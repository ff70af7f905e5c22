import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ROOT } from '../../scripts/prepare.js';
import { onEnd } from '../endings.js';
import { createPrepared } from '../fairness/database.js';
import { HttpClient } from '../fairness/http-client.js';
import { startService } from '../fairness/service.js';
import { keyOf, SEALING_KEY } from '../fairness/workspace.js';
import { startProcess } from '../processes.js';

const DEADLINE_MS = 30_000;
/** Not the beginning of another, as keys are padded. */
const nameOf = (n) => `user${n}x`;

/** Of each user. */
const RECORDINGS = 10;

/** Users with recordings and a webhook each, and the service with one worker. `cause` makes so many changes for each webhook. */
export async function prepareWorld(server, { endpoints, urlOf }) {
  const url = await createPrepared(server);
  await importUsers(server.folder, url, endpoints);
  const { base } = await startService({
    folder: server.folder,
    url,
    settings: { ALLOW_PRIVATE_ADDRESSES: 'true' },
  });
  for (let n = 0; n < endpoints; n += 1) await createWebhook(base, n, urlOf(n));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onEnd(() => client.end());
  return {
    cause: async (times) => {
      const started = performance.now();
      for (let n = 0; n < times / RECORDINGS; n += 1) {
        await client.query(`UPDATE recordings SET title = 'Weekly sync ' || $1::text`, [n]);
      }
      return { causedAfter: performance.now() - started };
    },
  };
}

async function createWebhook(base, n, url) {
  const client = new HttpClient({ base, key: keyOf(nameOf(n)), connections: 1, timeout: DEADLINE_MS });
  const { status, body } = await client.api('POST', '/webhooks', { url, types: ['recording.updated'] });
  client.close();
  if (status !== 201) throw new Error(`no webhook was created: ${status ?? 'no reply'} ${body ?? ''}`);
}

async function importUsers(folder, url, count) {
  const file = join(folder, 'webhooks.json');
  const names = Array.from({ length: count }, (_, n) => nameOf(n));
  const users = names.map((name) => ({
    email: `${name}@bench.test`,
    name,
    plan: 'PRO',
    apiKeys: [{ name: 'bench', key: keyOf(name) }],
  }));
  const recordings = names.flatMap((name, n) =>
    Array.from({ length: RECORDINGS }, (_, index) => ({
      id: `01a1edfd-0000-7000-8000-${String(n * RECORDINGS + index).padStart(12, '0')}`,
      owner: `${name}@bench.test`,
      title: 'Weekly sync',
      status: 'COMPLETED',
    })),
  );
  writeFileSync(file, JSON.stringify({ users, recordings }));
  const cli = startProcess(process.execPath, [join(ROOT, 'scripts', 'cli.js'), 'import', file], {
    cwd: folder,
    env: { DATABASE_URL: url, DATA_DIR: folder, SEALING_KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await cli.ended;
  if (cli.child.exitCode !== 0) throw new Error('the users of the bench were not imported');
}
