import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import { joinListed, type ListedRow } from '../../recordings/list/public/listed-recording.sql.js';
import { foundSql, queriesSql, type Matching, type Search, isSpeaker, speakerQuery } from './found.sql.js';
import type { PreparedUnit } from './units.queries.js';

/**
 * Sorts and hashes the hits of a common word in memory, and avoids JIT compilation for a statement of a few
 * milliseconds, until the transaction ends.
 */
export async function setSearchSettings(manager: EntityManager): Promise<void> {
  await sql(manager)`
    SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
      set_config('pg_trgm.similarity_threshold', '0.2', true)`;
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
  const rows = await sql(manager)<PageRow>`
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
      ORDER BY page.whole DESC, page.score DESC, page.created_at DESC, page.id`;
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
  const found = await sql(manager)<{ id: string; labels: string[] }>`
      SELECT recording_id AS id, array_agg(label) AS labels FROM transcripts CROSS JOIN LATERAL unnest(speakers) AS label
      WHERE recording_id = ANY (${ids}::uuid[]) AND ${isSpeaker('label', speakerQuery(name))} GROUP BY recording_id`;
  return new Map(found.map(({ id, labels }) => [id, labels]));
}

/** A word is corrected if it has at least this many letters. */
export const SHORTEST = 3;
/** Words with trigrams in common. */
const MAX_SIMILAR = 60;

export interface SimilarWord {
  readonly text: string;
  readonly word: string;
}

/** Finds the words of the scopes with the most trigrams in common, and the word in two where both parts occur. */
export async function findSimilarWords(
  manager: EntityManager,
  texts: readonly string[],
  scopes: readonly string[],
): Promise<SimilarWord[]> {
  const isInScope = sql`scope_id = ANY (${scopes}::uuid[])`;
  return sql(manager)`
    SELECT given.text, near.word FROM unnest(${texts}::text[]) WITH ORDINALITY AS given (text, position) CROSS JOIN LATERAL (
      (SELECT word, similarity(word, given.text) AS likeness FROM search_words
       WHERE ${isInScope} AND word % given.text
       GROUP BY word ORDER BY likeness DESC, word LIMIT ${MAX_SIMILAR}::int)
      UNION ALL
      (SELECT left(given.text, place) || ' ' || substr(given.text, place + 1), 1
       FROM generate_series(${SHORTEST}::int, length(given.text) - ${SHORTEST}::int) AS place
       WHERE EXISTS (SELECT FROM search_words WHERE ${isInScope} AND word = left(given.text, place))
         AND EXISTS (SELECT FROM search_words WHERE ${isInScope} AND word = substr(given.text, place + 1)))
    ) near
    ORDER BY given.position, near.likeness DESC, near.word`;
}

/** Finds the numbers of the units that occur in something the caller can read. */
export async function findUnits(
  manager: EntityManager,
  search: Search,
  units: readonly PreparedUnit[],
): Promise<ReadonlySet<number>> {
  if (units.length === 0) return new Set();
  const found = await sql(manager)<{ unit: number }>`
    WITH ${queriesSql(units, search.readable)},
    ${foundSql(search, 'partial')}
    SELECT DISTINCT unit FROM queries JOIN weights USING (config, query)`;
  return new Set(found.map(({ unit }) => unit));
}
