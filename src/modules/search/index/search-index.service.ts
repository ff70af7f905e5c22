import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { textSearchConfig } from '../../../lib/language/text-search-config.js';
import type { SearchSource } from './entities/search-entry.entity.js';
import { composed, gramsOf, hasDense, searchable, vectorOf, vocabularyOf } from './public/text-search.sql.js';
import { CHUNK_TEXT, indexed, SUMMARY_TEXT } from './public/search-texts.sql.js';
import { WordSeparator } from './word-separator.service.js';

/** Which texts of a recording changed: title, notes or summary, or the transcript. */
export interface ChangedTexts {
  readonly texts?: true;
  readonly transcript?: true;
}

const TEXTS: readonly SearchSource[] = ['title', 'notes', 'summary'];
const ALL: readonly SearchSource[] = [...TEXTS, 'transcript'];

/**
 * Serializes the refreshes of one recording, so that each sees what the previous one wrote. Without the lock, concurrent
 * writes of title and transcript could each leave stale entries of the other.
 */
const LOCK = 'SELECT FROM recordings WHERE id = $1 FOR NO KEY UPDATE';

const HEAD = `
  SELECT t.language, ARRAY(
    SELECT DISTINCT e.config FROM search_entries e WHERE e.recording_id = r.id) AS configs
  FROM recordings r LEFT JOIN transcripts t ON t.recording_id = r.id WHERE r.id = $1`;

/** The organization or the owner of a recording `r`, who share nothing with others. */
const SCOPE = 'COALESCE(r.organization_id, r.owner_id, r.id)';

/**
 * `$1` recording, `$2` configuration, `$3` sources to write, `$4` the chunk to write or null for all, `$5`, `$6` and `$7` source,
 * chunk and text of those to write whose words have been separated, or null. Returns those whose words have to be: they are not
 * written.
 */
const WRITE = `
  WITH texts AS (
    SELECT 'title' AS source, 0 AS chunk_index, r.title AS text FROM recordings r WHERE r.id = $1
    UNION ALL SELECT 'notes', 0, r.notes FROM recordings r WHERE r.id = $1
    UNION ALL SELECT 'summary', 0, ${SUMMARY_TEXT} FROM summaries s WHERE s.recording_id = $1 AND 'summary' = ANY ($3)
    UNION ALL SELECT 'transcript', c.chunk_index, ${CHUNK_TEXT} FROM transcript_chunks c
      WHERE c.recording_id = $1 AND 'transcript' = ANY ($3) AND c.chunk_index = COALESCE($4::int, c.chunk_index)
  ), cut AS MATERIALIZED (
    SELECT source, chunk_index, ${composed(indexed('text'))} AS text FROM texts WHERE source = ANY ($3)
  ), separated AS MATERIALIZED (
    SELECT * FROM unnest($5::text[], $6::int[], $7::text[]) AS given (source, chunk_index, text)
  ), unseparated AS MATERIALIZED (
    SELECT * FROM cut WHERE $5::text[] IS NULL AND ${hasDense('text')}
  ), prepared AS MATERIALIZED (
    SELECT source, chunk_index, whole, ${searchable('text')} AS text FROM (
      SELECT source, chunk_index, text, NULL AS whole FROM cut WHERE $5::text[] IS NULL AND NOT ${hasDense('text')}
      UNION ALL SELECT source, chunk_index, separated.text, cut.text FROM separated JOIN cut USING (source, chunk_index)) written
  ), fresh AS MATERIALIZED (
    SELECT * FROM (
      SELECT source, chunk_index, CASE WHEN whole IS NULL THEN words ELSE words || ${gramsOf('whole')} END AS words
      FROM (SELECT source, chunk_index, whole, ${vectorOf('$2', 'text')} AS words FROM prepared) parsed) made
    WHERE length(words) > 0
  ), gone AS (
    DELETE FROM search_entries e
    WHERE $5::text[] IS NULL AND e.recording_id = $1 AND e.source = ANY ($3) AND e.chunk_index = COALESCE($4::int, e.chunk_index)
      AND NOT EXISTS (SELECT FROM fresh WHERE fresh.source = e.source AND fresh.chunk_index = e.chunk_index)
      AND NOT EXISTS (SELECT FROM unseparated u WHERE u.source = e.source AND u.chunk_index = e.chunk_index)
  ), vocabulary AS (
    INSERT INTO search_words (scope_id, word)
    SELECT scope.id, word FROM (${vocabularyOf('prepared')}) said
    CROSS JOIN (SELECT ${SCOPE} AS id FROM recordings r WHERE r.id = $1) scope
    WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.scope_id = scope.id AND w.word = said.word)
  ), written AS (
    INSERT INTO search_entries AS e (recording_id, source, chunk_index, scope_id, config, words)
    SELECT r.id, source, chunk_index, ${SCOPE}, $2, words
    FROM fresh JOIN recordings r ON r.id = $1
    ON CONFLICT (recording_id, source, chunk_index) DO UPDATE
    SET scope_id = excluded.scope_id, config = excluded.config, words = excluded.words
    WHERE (e.scope_id, e.config, e.words) IS DISTINCT FROM (excluded.scope_id, excluded.config, excluded.words)
  )
  SELECT source, chunk_index AS "chunkIndex", text FROM unseparated`;

interface UnseparatedText {
  readonly source: SearchSource;
  readonly chunkIndex: number;
  readonly text: string;
}

/**
 * The search index, written in the transaction that changes a text. It holds every text regardless of status: what may
 * be found is decided at the time of the search, by the access decision and the status at that moment.
 */
@Injectable()
export class SearchIndexService {
  constructor(private readonly words: WordSeparator) {}

  /** Rewrites the entries of the changed texts, or all entries if the language has changed. */
  async refresh(manager: EntityManager, recordingId: string, changed: ChangedTexts): Promise<void> {
    const { config, configs } = await this.head(manager, recordingId);
    const named = [...(changed.texts ? TEXTS : []), ...(changed.transcript ? ['transcript'] : [])];
    const sources = configs.every((used) => used === config) ? named : ALL;
    await this.write(manager, [recordingId, config, sources, null]);
  }

  /** Rewrites the entry of one transcript chunk. */
  async refreshChunk(manager: EntityManager, recordingId: string, chunkIndex: number): Promise<void> {
    const { config } = await this.head(manager, recordingId);
    await this.write(manager, [recordingId, config, ['transcript'], chunkIndex]);
  }

  private async write(
    manager: EntityManager,
    target: readonly [recordingId: string, ...unknown[]],
  ): Promise<void> {
    const texts: UnseparatedText[] = await manager.query(WRITE, [...target, null, null, null]);
    if (texts.length === 0) return;
    const separated = await this.words.separate(
      target[0],
      texts.map(({ text }) => text),
    );
    const given = [texts.map(({ source }) => source), texts.map(({ chunkIndex }) => chunkIndex), separated];
    await manager.query(WRITE, [...target, ...given]);
  }

  /** Locks the recording until the transaction ends. */
  private async head(
    manager: EntityManager,
    recordingId: string,
  ): Promise<{ config: string; configs: readonly string[] }> {
    await manager.query(LOCK, [recordingId]);
    // A separate statement, so that it sees what was committed while this one waited for the lock.
    const [head]: { language: string | null; configs: string[] }[] = await manager.query(HEAD, [recordingId]);
    return { config: textSearchConfig(head?.language ?? null), configs: head?.configs ?? [] };
  }
}
