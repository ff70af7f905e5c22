import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import { runPrepared } from '../../../platform/database/prepared-query.js';
import type { SearchSource } from './entities/search-entry.entity.js';
import { CHUNK_TEXT, indexed, SUMMARY_TEXT } from './public/search-texts.sql.js';
import {
  composed,
  gramsOf,
  hasDense,
  searchable,
  vectorOf,
  vocabularyOf,
} from '../../../platform/database/text-search.sql.js';

/** Reads the language of the transcript, and the text search configurations behind the entries that there are. */
export async function readIndexed(
  manager: EntityManager,
  recordingId: string,
): Promise<{ readonly language: string | null; readonly configs: readonly string[] }> {
  const [found] = await runPrepared<{ language: string | null; configs: string[] }>(
    manager,
    'search-indexed',
    sql`
    SELECT t.language, ARRAY(
      SELECT DISTINCT e.config FROM search_entries e WHERE e.recording_id = r.id) AS configs
    FROM recordings r LEFT JOIN transcripts t ON t.recording_id = r.id WHERE r.id = ${recordingId}::uuid`,
  );
  return found ?? { language: null, configs: [] };
}

/** The organization or the owner of a recording `r`, who share nothing with others; also of one in the bin. */
const SCOPE = 'COALESCE(r.organization_id, r.owner_id, r.deleted_organization_id, r.deleted_owner_id, r.id)';

export interface EntriesToWrite {
  readonly recordingId: string;
  /** Name of the text search configuration. */
  readonly config: string;
  readonly sources: readonly SearchSource[];
  /** The only chunk of the transcript to write; null for all. */
  readonly chunk: number | null;
}

/** A text without spaces between its words. */
export interface DenseText {
  readonly source: SearchSource;
  readonly chunkIndex: number;
  readonly text: string;
}

/**
 * Writes entries, and the words of the vocabulary. Returns the texts whose words have to be separated first, which are
 * not written; with `separated`, writes only these. Prepared: planning takes longer than the rest for a title.
 */
export async function writeEntries(
  manager: EntityManager,
  { recordingId, config, sources, chunk }: EntriesToWrite,
  separated: readonly DenseText[] | null = null,
): Promise<DenseText[]> {
  const [id, asStored] = [sql`${recordingId}::uuid`, sql`${separated === null}::boolean`];
  const [wanted, only] = [sql`${sources}::text[]`, sql`COALESCE(${chunk}::int, chunk_index)`];
  const given = separated ?? [];
  return runPrepared(
    manager,
    'search-entries',
    sql`
    WITH head AS MATERIALIZED (SELECT ${config}::text::regconfig AS config), texts AS (
      SELECT 'title' AS source, 0 AS chunk_index, r.title AS text FROM recordings r WHERE r.id = ${id}
      UNION ALL SELECT 'notes', 0, r.notes FROM recordings r WHERE r.id = ${id}
      UNION ALL SELECT 'summary', 0, ${() => SUMMARY_TEXT} FROM summaries s WHERE s.recording_id = ${id} AND 'summary' = ANY (${wanted})
      UNION ALL SELECT 'transcript', c.chunk_index, ${() => CHUNK_TEXT} FROM transcript_chunks c
        WHERE c.recording_id = ${id} AND 'transcript' = ANY (${wanted}) AND c.chunk_index = ${only}
    ), cut AS MATERIALIZED (
      SELECT source, chunk_index, ${() => composed(indexed('text'))} AS text FROM texts WHERE source = ANY (${wanted})
    ), separated AS MATERIALIZED (
      SELECT * FROM unnest(${given.map(({ source }) => source)}::text[], ${given.map(({ chunkIndex }) => chunkIndex)}::int[],
        ${given.map(({ text }) => text)}::text[]) AS given (source, chunk_index, text)
    ), unseparated AS MATERIALIZED (
      SELECT * FROM cut WHERE ${asStored} AND ${() => hasDense('text')}
    ), prepared AS MATERIALIZED (
      SELECT source, chunk_index, whole, ${() => searchable('text')} AS text FROM (
        SELECT source, chunk_index, text, NULL AS whole FROM cut WHERE ${asStored} AND NOT ${() => hasDense('text')}
        UNION ALL SELECT source, chunk_index, separated.text, cut.text FROM separated JOIN cut USING (source, chunk_index)) written
    ), fresh AS MATERIALIZED (
      SELECT * FROM (
        SELECT source, chunk_index, CASE WHEN whole IS NULL THEN words ELSE words || ${() => gramsOf('whole')} END AS words
        FROM (SELECT source, chunk_index, whole, ${() => vectorOf('(SELECT config FROM head)', 'text')} AS words FROM prepared) parsed) made
      WHERE length(words) > 0
    ), gone AS (
      DELETE FROM search_entries e
      WHERE ${asStored} AND e.recording_id = ${id} AND e.source = ANY (${wanted}) AND e.chunk_index = ${only}
        AND NOT EXISTS (SELECT FROM fresh WHERE fresh.source = e.source AND fresh.chunk_index = e.chunk_index)
        AND NOT EXISTS (SELECT FROM unseparated u WHERE u.source = e.source AND u.chunk_index = e.chunk_index)
    ), vocabulary AS (
      INSERT INTO search_words (scope_id, word)
      SELECT scope.id, word FROM (${() => vocabularyOf('prepared')}) said
      CROSS JOIN (SELECT ${() => SCOPE} AS id FROM recordings r WHERE r.id = ${id}) scope
      WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.scope_id = scope.id AND w.word = said.word)
    ), written AS (
      INSERT INTO search_entries AS e (recording_id, source, chunk_index, scope_id, config, words)
      SELECT r.id, source, chunk_index, ${() => SCOPE}, ${config}::text, words
      FROM fresh JOIN recordings r ON r.id = ${id}
      ON CONFLICT (recording_id, source, chunk_index) DO UPDATE
      SET scope_id = excluded.scope_id, config = excluded.config, words = excluded.words
      WHERE (e.scope_id, e.config, e.words) IS DISTINCT FROM (excluded.scope_id, excluded.config, excluded.words)
    )
    SELECT source, chunk_index AS "chunkIndex", text FROM unseparated`,
  );
}
