import type { Client } from 'pg';
import { sql } from '../database/sql.js';

export interface FinishedBackup {
  readonly host: string;
  /** Whether it has the media files. */
  readonly media: boolean;
  /** Media files that were missing or damaged. */
  readonly problems: number;
}

/** Remembers that the database was backed up, in place of what is remembered; not in one of an older release. */
export async function writeBackup(client: Client, { host, media, problems }: FinishedBackup): Promise<void> {
  const { known } = await sql(client).row<{ known: boolean }>`
    SELECT to_regclass('backups') IS NOT NULL AS known`;
  if (known)
    await sql(client)`
      WITH earlier AS (DELETE FROM backups)
      INSERT INTO backups (finished_at, host, media, problems) VALUES (now(), ${host}, ${media}, ${problems}::int)`;
}
