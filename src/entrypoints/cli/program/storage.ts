import { Option, type Command } from 'commander';
import { destructive, group, leaf } from './command.js';

export function addStorage(cli: Command): void {
  const storage = group(cli, 'storage', 'Move files between disk and S3.');
  destructive(
    storage,
    'migrate',
    'Copy all files from one store to the other and verify each by its SHA-256. Files already copied are skipped, so it can be interrupted and run again. Needs no database.',
  )
    .addOption(store('--from <store>', 'where the files are').makeOptionMandatory())
    .addOption(store('--to <store>', 'where to copy them').makeOptionMandatory())
    .option('--delete-source', 'remove each file from the source once its copy is verified')
    .action(async (options) => (await import('../storage.commands.js')).migrateStorage(options));

  const database = group(cli, 'database', 'Show which database is in use.');
  leaf(
    database,
    'url',
    'Print the URL of the database in use, including its password: DATABASE_URL, or that of the embedded PostgreSQL while the service is running.',
  ).action(async (options) => (await import('../database.commands.js')).printDatabaseUrl(options));
}

/** DATA_DIR, or the bucket of the S3_* settings. */
function store(flags: string, description: string): Option {
  return new Option(flags, description).choices(['disk', 's3']);
}
