import type { Client } from 'pg';
import { StartError } from '../config/settings.js';
import { sql } from './sql.js';

/** A table that is there from the beginning of a restore until all rows are: nothing else may use the database. */
export const UNFINISHED_RESTORE = 'unfinished_restore';

export const isRestoreUnfinished = (client: Client): Promise<boolean> =>
  sql(client).value<boolean>`SELECT to_regclass(${UNFINISHED_RESTORE}) IS NOT NULL`;

export async function refuseUnfinishedRestore(client: Client): Promise<void> {
  if (!(await isRestoreUnfinished(client))) return;
  throw new StartError(
    'A backup is being restored into this database, or its restore was interrupted: run `restore` again, with the same settings',
  );
}

export async function markUnfinishedRestore(client: Client): Promise<void> {
  await sql(client)`CREATE TABLE IF NOT EXISTS ${() => UNFINISHED_RESTORE} ()`;
}

/** In the transaction that restores the rows. */
export async function unmarkUnfinishedRestore(client: Client): Promise<void> {
  await sql(client)`DROP TABLE ${() => UNFINISHED_RESTORE}`;
}
