import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import {
  LIST_REVISIONS,
  RECORD_REVISION,
} from '../../src/modules/transcripts/revisions/transcript-revisions.sql.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const OWN = 'KeepTranscriptRevisions1764700000000';
/** Every plan that PostgreSQL must not choose for so many transcripts. */
const WHOLE_TABLE = 'Seq Scan';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}
const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

describe('revisions of transcripts in the database', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase({ migrated: false });
    const options = dataSourceOptions({ url: database.url, poolSize: 1, entities: [] });
    dataSource = await new DataSource({ ...options, migrations: MIGRATIONS }).initialize();
    await dataSource.runMigrations();
    // On its only connection: filling may take longer than a statement of a request.
    await dataSource.query('SET statement_timeout = 0');
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function fill(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => v7());
    await dataSource.query(
      `INSERT INTO recordings (id, title, status, progress, created_at, updated_at)
       SELECT id, 'Weekly', 'COMPLETED', 1, now(), now() FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    return ids;
  }
  async function planOf(sql: string, values: unknown[]): Promise<PlanNode[]> {
    const [row] = await dataSource.query(`EXPLAIN (FORMAT json) ${sql}`, values);
    return nodes(row['QUERY PLAN'][0].Plan);
  }

  it('the migration makes what transcripts contain their first revision, and its reversal leaves them as they are', async () => {
    for (const _ of MIGRATIONS.slice(MIGRATIONS.findIndex(({ name }) => name === OWN)))
      await dataSource.undoLastMigration();
    const [sent, generated, again, failed] = (await fill(4)) as [string, string, string, string];
    await dataSource.query(
      `INSERT INTO transcripts (recording_id, status, language, speakers, segments_count, duration, revision, generated)
       VALUES ($1, 'completed', 'en', '{Ada}', 3, 5.5, 4, false), ($2, 'completed', NULL, '{}', 1, 2, 2, true),
              ($3, 'processing', 'de', '{}', 7, 9, 5, true), ($4, 'failed', NULL, '{}', 0, 0, 2, false)`,
      [sent, generated, again, failed],
    );
    const transcripts = () => dataSource.query('SELECT * FROM transcripts ORDER BY recording_id');
    const before = await transcripts();
    await dataSource.runMigrations();
    expect(
      await dataSource.query(
        `SELECT recording_id, revision, created_at, cause, created_by, language, speakers, segments_count, duration
         FROM transcript_revisions ORDER BY recording_id`,
      ),
    ).toEqual(
      [
        [sent, 4, 'import', 'en', ['Ada'], 3, 5.5],
        [generated, 2, 'transcription', null, [], 1, 2],
        [again, 5, 'transcription', 'de', [], 7, 9],
      ].map(([recording, revision, cause, language, speakers, count, duration]) => ({
        recording_id: recording,
        revision,
        created_at: null,
        cause,
        created_by: null,
        language,
        speakers,
        segments_count: count,
        duration,
      })),
    );
    await dataSource.undoLastMigration();
    expect(await transcripts()).toEqual(before);
  });

  it('are listed and recorded by the primary keys, whatever the number of transcripts', async () => {
    const ids = await fill(3_000);
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) SELECT id, id::text, 'Ada', 'PRO' FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    await dataSource.query(
      `INSERT INTO transcripts (recording_id, status, speakers, segments_count, duration)
       SELECT id, 'completed', '{}', 40, 80 FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    await dataSource.query(
      `INSERT INTO transcript_revisions (recording_id, revision, cause, created_by, speakers, segments_count, duration, confidence_known)
       SELECT id, revision, 'import', id, '{}', 40, 80, true FROM unnest($1::uuid[]) AS id, generate_series(1, 10) AS revision`,
      [ids],
    );
    await dataSource.query(
      `INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
       SELECT id, revision, chunk, '[]' FROM unnest($1::uuid[]) AS id, generate_series(2, 10) AS revision,
         generate_series(0, 1) AS chunk`,
      [ids],
    );
    await dataSource.query('ANALYZE');
    const listed = await planOf(LIST_REVISIONS.text, [ids[7]]);
    expect(listed.map((node) => node['Index Name'])).toContain('transcript_revisions_pkey');
    expect(listed.map((node) => node['Node Type'])).not.toContain(WHOLE_TABLE);
    const recorded = await planOf(RECORD_REVISION, [ids[7], new Date(), 'correction', null]);
    expect(recorded.map((node) => node['Index Name'])).toEqual(
      expect.arrayContaining(['transcript_revisions_pkey', 'superseded_transcript_chunks_pkey']),
    );
    expect(recorded.map((node) => node['Node Type'])).not.toContain(WHOLE_TABLE);
  });
});
