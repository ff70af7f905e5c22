import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { withClient } from '../connection.js';
import { sql } from '../sql.js';

/** What is between the service and PostgreSQL. */
export interface DatabaseLink {
  /** A pooler may keep a connection to PostgreSQL for a client only as long as each transaction takes. */
  readonly pooling: 'none' | 'session' | 'transaction';
  /** Whether a statement that was prepared under a name is there for the next transaction. */
  readonly keepsStatements: boolean;
  /** Milliseconds after which PostgreSQL ends a statement if nothing is set; 0: never. */
  readonly statementTimeout: number;
}

/** That of the embedded PostgreSQL. */
export const DIRECT: DatabaseLink = { pooling: 'none', keepsStatements: true, statementTimeout: 0 };

const TIMEOUT_MS = 5_000;
const CONNECTION = {
  application_name: 'mrs start',
  connectionTimeoutMillis: TIMEOUT_MS,
  query_timeout: TIMEOUT_MS,
};
/** A busy pooler may give a client the same connection again by chance. */
const ROUNDS = 5;

/** Finds out what is at `url`: one statement where PostgreSQL itself answers. */
export async function findLink(url: string): Promise<DatabaseLink> {
  return withClient(url, CONNECTION, async (one) => {
    const { pid, timeout: statementTimeout } = await backendOf(one);
    // A pooler tells its clients numbers of its own, with which they cancel statements.
    if (pid === (one as Client & { readonly processID: number }).processID)
      return { ...DIRECT, statementTimeout };
    return withClient(url, CONNECTION, async (other) => {
      const isShared = await shareBackends(one, other);
      if (!isShared) return { pooling: 'session', keepsStatements: true, statementTimeout };
      return { pooling: 'transaction', keepsStatements: await renamesStatements(other), statementTimeout };
    });
  });
}

/** Throws while no connection can be opened, even if those that are open work. */
export const ping = (url: string): Promise<unknown> =>
  withClient(url, CONNECTION, (client) => client.query('SELECT'));

/** The process of PostgreSQL that serves the connection. */
const backendOf = (client: Client) => sql(client).row<{ readonly pid: number; readonly timeout: number }>`
  SELECT pg_backend_pid() AS pid, setting::int AS timeout FROM pg_settings WHERE name = 'statement_timeout'`;

/**
 * Whether transactions of a client are served by several backends, or those of two clients by the same one.
 * A pooler that hands out the backend used last shows the second, one that takes turns the first.
 */
async function shareBackends(one: Client, other: Client): Promise<boolean> {
  const [ofOne, ofOther] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const client of [one, one, other])
      (client === one ? ofOne : ofOther).add((await backendOf(client)).pid);
    if (ofOne.size > 1 || ofOther.size > 1 || ofOne.has([...ofOther][0]!)) return true;
  }
  return false;
}

/** A pooler that keeps track of prepared statements gives them names of its own. */
async function renamesStatements(client: Client): Promise<boolean> {
  const name = `mrs_${randomUUID()}`;
  const text = 'SELECT FROM pg_prepared_statements WHERE name = $1';
  return (await client.query({ name, text, values: [name] })).rowCount === 0;
}
