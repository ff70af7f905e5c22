import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../api/database.js';
import { onEnd } from '../endings.js';

const COPY = 'writes';
const MAX_RECORDINGS = 200_000;

/**
 * A copy of the database of the API bench, and a folder for stored files; both are removed at the end. `{ url, client,
 * folder, version, recordings }`.
 */
export async function openCopy({ data, recordings, say }) {
  const count = Math.min(recordings, MAX_RECORDINGS);
  const original = await openDatabase({ data, recordings: count, say });
  // PostgreSQL copies no database that is in use.
  await original.client.end();
  const admin = await connect(urlOf(original.url, 'postgres'));
  await endSessions(admin, new URL(original.url).pathname.slice(1));
  await drop(admin);
  say(`a copy of ${count} recordings`);
  await admin.query(
    `CREATE DATABASE ${COPY} TEMPLATE ${new URL(original.url).pathname.slice(1)} STRATEGY file_copy`,
  );
  onEnd(() => drop(admin));
  const url = urlOf(original.url, COPY);
  const folder = join(original.folder, COPY);
  mkdirSync(folder, { recursive: true });
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return { url, folder, version: original.version, recordings: count, client: await connect(url) };
}

async function drop(admin) {
  await endSessions(admin, COPY);
  await admin.query(`DROP DATABASE IF EXISTS ${COPY}`);
}

async function endSessions(admin, database) {
  await admin.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = $1 AND usename = current_user AND backend_type = 'client backend'`,
    [database],
  );
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  // The query itself fails too, so the event needs no handling.
  client.on('error', () => undefined);
  await client.connect();
  onEnd(() => client.end());
  return client;
}

function urlOf(url, database) {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return String(address);
}
