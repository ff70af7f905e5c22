import { Pool, type Client, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';
import { DatabaseClient } from './servers/database-client.js';
import { DATABASE_AWAY, isDatabaseUnavailable } from './database-errors.js';
import type { Database } from './sql.js';

/** This thread's connection, reused by later tasks because opening one takes milliseconds; closed with the thread. */
let cached: { readonly url: string; readonly client: Client } | null = null;

/**
 * Runs `work` with the connection of a thread, which has no pool and runs one task at a time. No statement of `work`
 * runs longer than `seconds`. Errors that mean PostgreSQL is unavailable start with `DATABASE_AWAY`, because error
 * classes and codes do not survive the transfer out of a thread.
 */
export async function withConnection<T>(
  url: string,
  seconds: number,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    const client = await connection(url);
    await client.query(`SET statement_timeout = ${Math.round(seconds * 1000)}`);
    return await work(client);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    cached = null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${DATABASE_AWAY}: ${reason}`, { cause: error });
  }
}

async function connection(url: string): Promise<Client> {
  if (cached?.url === url) return cached.client;
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'mrs thread',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // The next task opens a new one.
  client.on('error', () => (cached = null));
  await client.connect();
  cached = { url, client };
  return client;
}

/** Runs `work` on a connection of its own, without time limits. */
export async function withClient<T>(
  url: string,
  config: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new DatabaseClient({ connectionString: url, ...config });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

const reportedByTheNextQuery = (): void => undefined;

/** `onConnect` may return a promise, which the pool awaits. */
type PooledConnections = Omit<PoolConfig, 'onConnect'> & { onConnect?: (client: ClientBase) => unknown };

/** A pool that replaces lost connections. */
export function openPool(config: PooledConnections): Pool {
  const pool = new Pool({ ...config, Client: DatabaseClient });
  pool.on('error', reportedByTheNextQuery);
  // graphile-worker demands it.
  pool.on('connect', (client) => void client.on('error', reportedByTheNextQuery));
  return pool;
}
