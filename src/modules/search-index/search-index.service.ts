import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { textSearchConfig } from '../../platform/language/text-search-config.js';
import type { SearchSource } from './entities/search-entry.entity.js';
import { searchable, vectorOf, vocabularyOf } from '../../platform/language/text-search.sql.js';
import { CHUNK_TEXT, indexed, SUMMARY_TEXT } from './entities/search-texts.sql.js';

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

/** `$1` recording, `$2` configuration, `$3` sources to write, `$4` the chunk to write or null for all. */
const WRITE = `
  WITH texts AS (
    SELECT 'title' AS source, 0 AS chunk_index, r.title AS text FROM recordings r WHERE r.id = $1
    UNION ALL SELECT 'notes', 0, r.notes FROM recordings r WHERE r.id = $1
    UNION ALL SELECT 'summary', 0, ${SUMMARY_TEXT} FROM summaries s WHERE s.recording_id = $1 AND 'summary' = ANY ($3)
    UNION ALL SELECT 'transcript', c.chunk_index, ${CHUNK_TEXT} FROM transcript_chunks c
      WHERE c.recording_id = $1 AND 'transcript' = ANY ($3) AND c.chunk_index = COALESCE($4::int, c.chunk_index)
  ), prepared AS MATERIALIZED (
    SELECT source, chunk_index, ${searchable('text')} AS text
    FROM (SELECT source, chunk_index, ${indexed('text')} AS text FROM texts WHERE source = ANY ($3) OFFSET 0) cut
  ), fresh AS MATERIALIZED (
    SELECT * FROM (SELECT source, chunk_index, ${vectorOf('$2', 'text')} AS words FROM prepared) made WHERE length(words) > 0
  ), gone AS (
    DELETE FROM search_entries e
    WHERE e.recording_id = $1 AND e.source = ANY ($3) AND e.chunk_index = COALESCE($4::int, e.chunk_index)
      AND NOT EXISTS (SELECT FROM fresh WHERE fresh.source = e.source AND fresh.chunk_index = e.chunk_index)
  ), vocabulary AS (
    INSERT INTO search_words (scope_id, word)
    SELECT scope.id, word FROM (${vocabularyOf('prepared')}) said
    CROSS JOIN (SELECT ${SCOPE} AS id FROM recordings r WHERE r.id = $1) scope
    WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.scope_id = scope.id AND w.word = said.word)
  )
  INSERT INTO search_entries AS e (recording_id, source, chunk_index, scope_id, config, words)
  SELECT r.id, source, chunk_index, ${SCOPE}, $2, words
  FROM fresh JOIN recordings r ON r.id = $1
  ON CONFLICT (recording_id, source, chunk_index) DO UPDATE
  SET scope_id = excluded.scope_id, config = excluded.config, words = excluded.words
  WHERE (e.scope_id, e.config, e.words) IS DISTINCT FROM (excluded.scope_id, excluded.config, excluded.words)`;

/**
 * The search index, written in the transaction that changes a text. It holds every text regardless of status: what may
 * be found is decided at the time of the search, by the access decision and the status at that moment.
 */
@Injectable()
export class SearchIndexService {
  /** Rewrites the entries of the changed texts, or all entries if the language has changed. */
  async refresh(manager: EntityManager, recordingId: string, changed: ChangedTexts): Promise<void> {
    const { config, configs } = await this.head(manager, recordingId);
    const named = [...(changed.texts ? TEXTS : []), ...(changed.transcript ? ['transcript'] : [])];
    const sources = configs.every((used) => used === config) ? named : ALL;
    await manager.query(WRITE, [recordingId, config, sources, null]);
  }

  /** Rewrites the entry of one transcript chunk. */
  async refreshChunk(manager: EntityManager, recordingId: string, chunkIndex: number): Promise<void> {
    const { config } = await this.head(manager, recordingId);
    await manager.query(WRITE, [recordingId, config, ['transcript'], chunkIndex]);
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
