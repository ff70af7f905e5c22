import type { Client } from 'pg';
import { DatabaseClient } from '../../../platform/database/servers/database-client.js';
import { explainConnection } from '../../../platform/database/servers/explain-connection.js';
import { withDatabaseServer, type Host } from '../host.js';

/** The database server that settings name, started if it is the embedded one, and a connection without time limits. */
export interface OpenServer extends Omit<Host, 'manager'> {
  readonly client: Client;
}

/** Runs `work` with the database as it is, without migrating it. */
export async function withServer(
  database: Parameters<typeof withDatabaseServer>[1],
  work: (server: OpenServer) => Promise<void>,
): Promise<void> {
  await withDatabaseServer(async ({ settings, url }) => {
    const client = await connect(url);
    try {
      await work({ settings, url, client });
    } finally {
      await client.end();
    }
  }, database);
}

/** Values are written and read alike, whatever the database has as its default. */
const FORMATS = [
  'DateStyle=ISO',
  'IntervalStyle=postgres',
  'TimeZone=UTC',
  'bytea_output=hex',
  'extra_float_digits=1',
];
const NO_LIMITS = ['statement_timeout=0', 'lock_timeout=0', 'idle_in_transaction_session_timeout=0'];

async function connect(url: string): Promise<Client> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'mrs backup',
    options: [...FORMATS, ...NO_LIMITS].map((option) => `-c ${option}`).join(' '),
    keepAlive: true,
  });
  // The next query fails anyway.
  client.on('error', () => undefined);
  await client.connect().catch(explainConnection(url));
  return client;
}
