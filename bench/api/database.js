import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { fill } from './data.js';
import { onEnd } from '../endings.js';

/** The filled database of so many recordings, with the settings that the service itself uses; filled once per folder. */
export async function openDatabase({ data, recordings, say }) {
  const folder = join(data, `api-${recordings}`);
  const filled = join(folder, 'filled');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(filled)) {
    const { url, release } = await openServer(folder);
    await fillAnew(url, recordings, say);
    // Stopped, so that all of it lies where it belongs before anything is measured.
    await release();
    writeFileSync(filled, '');
  }
  const { url } = await openServer(folder);
  await migrateTo(url);
  const client = await connect(url);
  const { rows } = await client.query('SHOW server_version');
  return { url, client, folder, version: rows[0].server_version };
}

async function openServer(folder) {
  const { EmbeddedPostgres } = await import('../../dist/src/platform/database/embedded/embedded-postgres.js');
  const opening = EmbeddedPostgres.open({ dataDir: folder });
  const release = onEnd(async () => (await opening).release());
  const { url } = await opening;
  return { url, release };
}

/** Also of a database of an earlier release that was kept. */
async function migrateTo(url) {
  const { migrate } = await import('../../dist/src/platform/database/migrate.js');
  await migrate(url);
}

async function fillAnew(url, recordings, say) {
  const client = await connect(url);
  // What a run that was interrupted has left.
  await client.query(
    'DROP SCHEMA IF EXISTS graphile_worker CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public',
  );
  await migrateTo(url);
  await fill(client, recordings, say);
  await client.end();
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  // Its query fails too; nobody else must hear of it.
  client.on('error', () => undefined);
  await client.connect();
  onEnd(() => client.end());
  return client;
}
