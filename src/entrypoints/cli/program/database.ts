import type { Command } from 'commander';
import { group, leaf } from './command.js';

export function addDatabase(cli: Command): void {
  const database = group(cli, 'database', 'Show which database is in use.');
  leaf(
    database,
    'url',
    'Print the URL of the database in use, including its password: DATABASE_URL, or that of the embedded PostgreSQL while the service is running.',
  ).action(async (options) => (await import('../database.commands.js')).printDatabaseUrl(options));
}
