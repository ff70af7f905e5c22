import pg from 'pg';
import { EmbeddedPostgres } from '../../dist/src/lib/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../dist/src/platform/database/migrate.js';

/** Trades durability for speed: these databases do not have to survive a crash. */
const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

// Ctrl-C in a terminal also reaches this process, before the tests have ended.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
const disconnected = new Promise((resolve) => process.once('disconnect', resolve));

const database = await EmbeddedPostgres.open({ dataDir: process.argv[2], settings: UNSAFE });
const client = new pg.Client({ connectionString: database.url });
await client.connect();
// Migrated once: each test file copies it.
await client.query('CREATE DATABASE template_mrs');
await client.end();
await migrate(new URL('/template_mrs', database.url).href);
if (process.connected) {
  process.send(database.url);
  await disconnected;
}
await database.release();
