import { Client } from 'pg';
import { hasDatabase } from '../../lib/embedded-postgres/embedded-postgres.js';
import { StartError, type Settings } from '../../platform/config/settings.js';
import { asStartError } from '../../platform/database/database-server.js';
import { explainConnection, serverOf } from '../../platform/database/explain-connection.js';
import { runOn, sql } from '../../platform/database/sql.js';

type Location = Pick<Settings, 'databaseUrl' | 'dataDir'>;

/** Where the database of these settings is, for messages: the folder, or server and name. */
export const placeOf = ({ databaseUrl, dataDir }: Location): string =>
  databaseUrl === undefined ? dataDir : serverOf(databaseUrl);

/**
 * Throws a `StartError` if the settings lead to no database of a service: a mistyped folder would become a new one, in
 * which nothing is found. A command that `creates` goes on, and says where.
 */
export async function requireDatabase(settings: Location, { creates = false } = {}): Promise<void> {
  const { databaseUrl, dataDir } = settings;
  const isEmbedded = databaseUrl === undefined;
  if (await (isEmbedded ? hasDatabase(dataDir).catch(asStartError) : hasTables(databaseUrl))) return;
  const place = placeOf(settings);
  if (!creates)
    throw new StartError(
      isEmbedded
        ? `No database in ${place}: set DATA_DIR to the data folder of a service that has been started`
        : `No tables of the service in ${place}: set DATABASE_URL to the database of a service that has been started`,
    );
  const created = isEmbedded ? 'a new database' : 'the tables of the service';
  process.stderr.write(`Creating ${created} in ${place}\n`);
}

async function hasTables(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // The next query fails anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [row] = await runOn<{ found: boolean }>(
      client,
      sql`SELECT to_regclass('migrations') IS NOT NULL AS found`,
    );
    return row?.found === true;
  } catch (error) {
    throw explainConnection(error, url);
  } finally {
    await client.end();
  }
}
