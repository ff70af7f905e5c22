import { StartError } from '../../../platform/config/settings.js';
import { runningUrl } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { asStartError } from '../../../platform/database/database-server.js';
import { requireDatabase } from '../existing-database.js';
import { print, type Output } from '../output.js';
import { readSettings } from '../../../platform/config/read-settings.js';

export async function printDatabaseUrl(options: Output): Promise<void> {
  const { databaseUrl, dataDir } = readSettings();
  if (databaseUrl === undefined) await requireDatabase({ databaseUrl, dataDir });
  const url = databaseUrl ?? (await runningUrl(dataDir).catch(asStartError));
  if (url === undefined)
    throw new StartError(
      `The embedded PostgreSQL in ${dataDir} is not running. Start the service first: npm start`,
    );
  print(options, { url }, url);
}
