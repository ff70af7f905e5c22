import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { onEnd } from '../endings.js';

const PREPARED = 'fairness';
const ROUND = 'fairness_round';

/** The PostgreSQL of the bench, with the settings of the service and others, in a folder of this name. */
export async function openServer(data, name = 'fairness', settings = undefined) {
  const folder = join(data, name);
  mkdirSync(folder, { recursive: true });
  const { EmbeddedPostgres } = await import('../../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const opening = EmbeddedPostgres.open({ dataDir: folder, settings });
  onEnd(async () => (await opening).release());
  const { url } = await opening;
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onEnd(async () => {
    // A statement of the last round may still run, and PostgreSQL is not stopped while it is in use.
    await endSessions(client, ROUND);
    await client.end();
  });
  const { rows } = await client.query('SHOW server_version');
  return { folder, url, client, version: rows[0].server_version };
}

/** An empty database with all tables. */
export async function createPrepared({ url, client }) {
  await dropDatabase(client, PREPARED);
  await client.query(`CREATE DATABASE ${PREPARED}`);
  const { migrate } = await import('../../dist/src/platform/database/migrate.js');
  await migrate(urlOf(url, PREPARED));
  return urlOf(url, PREPARED);
}

/** A copy of it for one round, replacing that of the previous round. */
export async function copyPrepared({ url, client }) {
  await dropDatabase(client, ROUND);
  await endSessions(client, PREPARED);
  // A file copy is on disk when the round starts; through the WAL, it would be written during the round.
  await client.query(`CREATE DATABASE ${ROUND} TEMPLATE ${PREPARED} STRATEGY file_copy`);
  return urlOf(url, ROUND);
}

async function dropDatabase(client, name) {
  // Not `WITH (FORCE)`, which may not end autovacuum, and then fails.
  await endSessions(client, name);
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

/** Those of a killed service may linger. PostgreSQL stops its own autovacuum. */
async function endSessions(client, database) {
  await client.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = $1 AND usename = current_user AND backend_type = 'client backend'`,
    [database],
  );
}

function urlOf(url, database) {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return String(address);
}
