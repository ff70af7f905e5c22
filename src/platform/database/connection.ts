import { Client } from 'pg';

/** What runs statements. */
export interface Database {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Opens a connection for the time of `work`, in a thread or process that shares no pool; no statement runs longer than `seconds`. */
export async function withConnection<T>(
  url: string,
  seconds: number,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'mrs thread',
    connectionTimeoutMillis: 5_000,
    statement_timeout: seconds * 1000,
    keepAlive: true,
  });
  // A lost connection fails the statement that runs.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work({
      query: async <Row>(text: string, values: readonly unknown[] = []) =>
        (await client.query(text, [...values])).rows as Row[],
    });
  } finally {
    await client.end();
  }
}
