import type { EntityManager } from 'typeorm';
import { run, sql } from '../../../platform/database/sql.js';
import { joinListed, type ListedRow } from '../../recordings/list/public/listed-recording.sql.js';
import { foundSql, queriesSql, type Matching, type Search } from './found.sql.js';
import { isSpeaker, speakerQuery } from './speaker.sql.js';
import type { PreparedUnit } from './units.queries.js';

/**
 * Sorts and hashes the hits of a common word in memory, and avoids JIT compilation for a statement of a few
 * milliseconds, until the transaction ends.
 */
export async function setSearchSettings(manager: EntityManager): Promise<void> {
  await run(
    manager,
    sql`SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
      set_config('pg_trgm.similarity_threshold', '0.2', true)`,
  );
}

interface PageRow extends Omit<ListedRow, 'id'> {
  /** Whether it has everything that was asked for. */
  readonly whole: boolean;
  readonly total: string;
  readonly any_whole: boolean | null;
  readonly id: string | null;
  readonly score: string;
  readonly config: string;
  /** Which of its texts the caller can read, besides the title: the notes, the transcript, the summary. */
  readonly open: boolean;
  readonly transcript: boolean | null;
  readonly summary: boolean | null;
}

export type FoundPageRow = PageRow & { readonly id: string };

export interface Found {
  readonly rows: readonly FoundPageRow[];
  readonly total: number;
  readonly anyWhole: boolean;
}

/** Finds a page of the recordings that match, best first, and how many there are. */
export async function findRecordings(
  manager: EntityManager,
  search: Search,
  units: readonly PreparedUnit[],
  matching: Matching,
): Promise<Found> {
  const rows = await run<PageRow>(
    manager,
    sql`
      WITH ${queriesSql(units, search.readable)},
      ${foundSql(search, matching)},
      page AS (
        SELECT * FROM found ORDER BY whole DESC, score DESC, created_at DESC, id
        LIMIT ${search.limit}::bigint OFFSET ${search.offset}::bigint
      ),
      total AS (SELECT count(*) AS total, bool_or(whole) AS any_whole FROM found)
      SELECT total.total, total.any_whole, page.whole, page.score::text, page.config, page.open, page.transcript, page.summary, listed.*
      FROM total
      LEFT JOIN page ON true
      ${() => joinListed('page.id')}
      ORDER BY page.whole DESC, page.score DESC, page.created_at DESC, page.id`,
  );
  return {
    rows: rows.filter((row): row is FoundPageRow => row.id !== null),
    total: Number(rows[0]?.total ?? 0),
    anyWhole: rows[0]?.any_whole === true,
  };
}

/** Reads the labels of speakers that a name matches, by recording. */
export async function readSpeakerLabels(
  manager: EntityManager,
  name: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await run<{ id: string; labels: string[] }>(
    manager,
    sql`
      SELECT recording_id AS id, array_agg(label) AS labels FROM transcripts CROSS JOIN LATERAL unnest(speakers) AS label
      WHERE recording_id = ANY (${ids}::uuid[]) AND ${isSpeaker('label', speakerQuery(name))} GROUP BY recording_id`,
  );
  return new Map(found.map(({ id, labels }) => [id, labels]));
}
