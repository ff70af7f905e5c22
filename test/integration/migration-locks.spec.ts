import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { createDatabase } from '../support/database.js';

/** Tables of 1.0.0 that grow with use. Those of organizations, webhooks and keys stay small. */
const LARGE = [
  'audit_seals',
  'change_log',
  'events',
  'idempotency_keys',
  'personal_details',
  'recordings',
  'retired_media',
  'search_entries',
  'search_words',
  'share_links',
  'summaries',
  'superseded_transcript_chunks',
  'transcript_chunks',
  'transcript_revisions',
  'transcripts',
  'unpublished_changes',
  'upload_parts',
  'uploads',
  'users',
  'webhook_attempts',
  'webhook_deliveries',
];

async function statementsOf(migration: MigrationInterface): Promise<string[]> {
  const statements: string[] = [];
  await migration.up({ query: (text: string) => void statements.push(text) } as unknown as QueryRunner);
  return statements;
}

/** Up to the name of what it makes, or changes. */
const beginningOf = (statement: string): string =>
  /^\s*(CREATE.* INDEX \w+|INSERT INTO \w+|ALTER TABLE \w+\s+\w+( (?!CONSTRAINT|COLUMN)\w+)?|\w+ \w+ \w+)/
    .exec(statement)![1]!
    .replaceAll(/\s+/g, ' ');

/**
 * What migrations do to large tables while they hold them, so that every request waits: `writes` a table anew, or `reads` all
 * of it, with the beginning of the statement. A scan of an empty table counts, too. In all, those of 1.1.0 took 0.7 s with
 * 50,000 recordings, as many summaries and 51,000 changes: 14 s a million, of which the revisions of summaries are half.
 */
const KNOWN = [
  'reads recordings: INSERT INTO summary_revisions',
  'reads users: ALTER TABLE users ADD service_of',
  'reads users: CREATE INDEX users_service_of_idx',
  'reads personal_details: ALTER TABLE personal_details DROP',
  'reads recordings: UPDATE recordings SET',
  'reads share_links: CREATE INDEX share_links_api_key_id_idx',
  'reads share_links: CREATE UNIQUE INDEX share_links_plain_for_key_key',
  'reads change_log: CREATE INDEX change_log_at_idx',
  'writes audit_seals: ALTER TABLE audit_seals ADD',
  'reads audit_seals: CREATE INDEX audit_seals_organization_idx',
  'reads recordings: CREATE UNIQUE INDEX recordings_external_id_key',
  'reads recordings: CREATE INDEX recordings_metadata_idx',
  'reads users: CREATE INDEX users_metadata_idx',
  'reads users: CREATE UNIQUE INDEX users_external_id_key',
  'reads recordings: ALTER TABLE recordings ADD deleted_at',
  'reads recordings: CREATE INDEX recordings_deleted_owner_idx',
  'reads recordings: CREATE INDEX recordings_deleted_organization_idx',
  'reads recordings: CREATE INDEX recordings_purge_at_idx',
  // Only those that are under way.
  'reads uploads: CREATE INDEX uploads_track_of_idx',
];

it('migrations since 1.0.0 read and rewrite large tables only where that is known: otherwise, let a job do it in batches, as search.respell does', async () => {
  const database = await createDatabase({ migrated: false });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const state = async () =>
    (
      await client.query<{ name: string; file: string; scans: number }>(
        `SELECT parent.relname AS name, string_agg(c.relfilenode::text, ',' ORDER BY c.oid) AS file,
           sum(pg_stat_get_xact_numscans(c.oid))::int AS scans
         FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class parent ON parent.oid = coalesce(i.inhparent, c.oid)
         WHERE c.relkind IN ('r', 'p') AND parent.relname = ANY ($1) GROUP BY 1 ORDER BY 1`,
        [LARGE],
      )
    ).rows;
  try {
    const [first, ...later] = MIGRATIONS;
    for (const statement of await statementsOf(new first!())) await client.query(statement);
    expect((await state()).map(({ name }) => name)).toEqual(LARGE);
    await client.query('SELECT create_change_log_partitions(now(), 1)');
    const found: string[] = [];
    for (const Migration of later) {
      await client.query('BEGIN');
      let before = await state();
      for (const statement of await statementsOf(new Migration())) {
        await client.query(statement);
        const after = await state();
        for (const [index, { name, file, scans }] of after.entries()) {
          const { file: fileBefore, scans: scansBefore } = before[index]!;
          if (file !== fileBefore) found.push(`writes ${name}: ${beginningOf(statement)}`);
          else if (scans > scansBefore) found.push(`reads ${name}: ${beginningOf(statement)}`);
        }
        before = after;
      }
      await client.query('COMMIT');
    }
    expect(found).toEqual(KNOWN);
  } finally {
    await client.end();
    await database.drop();
  }
});
