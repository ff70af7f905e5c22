import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { postgresLayout } from '../../lib/embedded-postgres/cluster.js';
import { readPostmasterState } from '../../lib/embedded-postgres/pid-file.js';
import { runOn, sql } from '../../platform/database/sql.js';
import { migrate } from '../../platform/database/migrate.js';

/** Trades durability for speed: these databases do not have to survive a crash. */
const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** A disposable PostgreSQL with a migrated database that each test file copies. Used by `npm test`. */
export async function startTestDatabase(
  dataDir: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = await EmbeddedPostgres.open({ dataDir, settings: UNSAFE });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await runOn(client, sql`CREATE DATABASE template_mrs`);
  await client.end();
  const template = new URL(server.url);
  template.pathname = '/template_mrs';
  await migrate(template.href);
  return { url: server.url, stop: () => server.release() };
}

/** Stops the embedded servers below a folder that interrupted tests left behind. */
export async function stopServersBelow(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries) {
    if (name !== 'postmaster.pid') continue;
    const state = await readPostmasterState(postgresLayout(join(parentPath, '..', '..', '..')));
    if ('pid' in state) process.kill(state.pid, 'SIGQUIT');
  }
}
