import { Client } from 'pg';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { migrate } from '../platform/database/migrate.js';

/** Gives up durability for speed: these databases need not survive anything. */
const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** A throw-away PostgreSQL with a migrated database, which each test file copies. Used by `npm test`. */
export async function startTestDatabase(
  dataDir: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = await EmbeddedPostgres.open({ dataDir, settings: UNSAFE });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE DATABASE template_mrs');
  await client.end();
  const template = new URL(server.url);
  template.pathname = '/template_mrs';
  await migrate(template.href);
  return { url: server.url, stop: () => server.release() };
}
