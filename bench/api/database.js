import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { fill } from './data.js';
import { parentOf } from '../cpu-time.js';
import { onEnd } from '../endings.js';

/**
 * The database with this many recordings and the settings of the service; filled once per folder. `{ url, client, folder,
 * version, recordings, pid }`; the last is the process id of PostgreSQL, null where it cannot be read.
 */
export async function openDatabase({ data, recordings, say }) {
  const folder = join(data, `api-${recordings}`);
  const filled = join(folder, 'filled');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(filled)) {
    const { url, release } = await openServer(folder);
    await refill(url, recordings, say);
    // Stopped, so that everything is flushed to disk before anything is measured.
    await release();
    writeFileSync(filled, '');
  }
  const { url } = await openServer(folder);
  await (await import('../../dist/src/platform/database/migrate.js')).migrate(url);
  const client = await connect(url);
  const { rows } = await client.query(
    `SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid`,
  );
  const [{ version, pid }] = rows;
  return { url, client, folder, recordings, version, pid: parentOf(pid) };
}

async function openServer(folder) {
  const { EmbeddedPostgres } = await import('../../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const opening = EmbeddedPostgres.open({ dataDir: folder });
  const release = onEnd(async () => (await opening).release());
  const { url } = await opening;
  return { url, release };
}

async function refill(url, recordings, say) {
  const client = await connect(url);
  // Leftovers of an interrupted run.
  await client.query(
    'DROP SCHEMA IF EXISTS graphile_worker CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public',
  );
  await (await import('../../dist/src/platform/database/migrate.js')).migrate(url);
  await fill(client, recordings, say);
  await client.end();
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  // The query itself fails too, so the event needs no handling.
  client.on('error', () => undefined);
  await client.connect();
  onEnd(() => client.end());
  return client;
}
