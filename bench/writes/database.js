import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { fill } from '../api/data.js';
import { parentOf } from '../cpu-time.js';
import { onEnd } from '../endings.js';
import { copyPrepared, createPrepared, openServer } from '../fairness/database.js';

const MAX_RECORDINGS = 200_000;

/**
 * A copy of a database with the data of the API bench, and a folder for stored files: what a run writes does not
 * remain.
 * `{ url, client, folder, version, recordings, pid }`; the last is the process id of PostgreSQL, null where it cannot
 * be read. `settings`: of PostgreSQL, besides those of the service.
 */
export async function openCopy({ data, recordings: wanted, settings, say }) {
  const recordings = Math.min(wanted, MAX_RECORDINGS);
  const server = await openServer(data, `writes-${recordings}`, settings);
  const filled = join(server.folder, 'filled');
  if (!existsSync(filled)) {
    const client = await connect(await createPrepared(server));
    await fill(client, recordings, say);
    await client.end();
    writeFileSync(filled, '');
  }
  const folder = join(server.folder, 'copy');
  mkdirSync(folder, { recursive: true });
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const url = await copyPrepared(server);
  const client = await connect(url);
  onEnd(() => client.end());
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return { url, client, folder, version: server.version, recordings, pid: parentOf(rows[0].pid) };
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  // The query itself fails too, so the event needs no handling.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
