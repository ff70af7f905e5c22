import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import {
  LIST_REVISIONS,
  RECORD_REVISION,
} from '../../src/modules/transcripts/revisions/transcript-revisions.sql.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

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
    database = await createDatabase();
    const options = dataSourceOptions({ url: database.url, poolSize: 1, entities: [] });
    dataSource = await new DataSource(options).initialize();
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
