import { Client } from 'pg';
import { DATABASE_AWAY, isDatabaseUnavailable } from './database-errors.js';

/** What runs statements. */
export interface Database {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The connection of this thread; it stays between tasks, as opening one takes milliseconds, and ends with the thread. */
let kept: { readonly url: string; readonly client: Client } | null = null;

/**
 * For threads, which share no pool and do one thing at a time. No statement of `work` runs longer than `seconds`. What says
 * that PostgreSQL is away begins with `DATABASE_AWAY`: classes and codes of errors do not leave a thread.
 */
export async function withConnection<T>(
  url: string,
  seconds: number,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    const client = await connection(url);
    await client.query(`SET statement_timeout = ${Math.round(seconds * 1000)}`);
    return await work({
      query: async <Row>(text: string, values: readonly unknown[] = []) =>
        (await client.query(text, [...values])).rows as Row[],
    });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    kept = null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${DATABASE_AWAY}: ${reason}`, { cause: error });
  }
}

async function connection(url: string): Promise<Client> {
  if (kept?.url === url) return kept.client;
  const client = new Client({
    connectionString: url,
    application_name: 'mrs thread',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // The next task opens another one.
  client.on('error', () => (kept = null));
  await client.connect();
  kept = { url, client };
  return client;
}
