import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { run, sql } from '../../../platform/database/sql.js';
import type { ListedRow } from '../../recordings/list/public/listed-recording.sql.js';
import type { SearchSource } from '../index/entities/search-entry.entity.js';
import { denseMarks } from '../snippets/dense-marks.js';
import { findRecordings, prepare, type Found, type FoundPageRow } from './found-recordings.queries.js';
import { correctionsOf } from './corrections.js';
import { corrected, looseWords, typed, type SearchQuery } from '../query/search-query.js';
import type { Search } from './found.sql.js';
import { snippetsStatement } from '../snippets/snippets.queries.js';
import { isSpeaker, speakerQuery } from './speaker.sql.js';
import type { PreparedUnit } from './units.queries.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';

export interface FoundRow extends ListedRow {
  /** Whether it has everything that was asked for. */
  readonly whole: boolean;
  readonly score: number;
  readonly matches: readonly MatchRow[];
}

export interface MatchRow {
  readonly id: string;
  readonly source: SearchSource;
  readonly segment: TranscriptSegment | null;
  /** With placeholders for marks; see `toHtml`. */
  readonly snippet: string;
}

export interface SearchPage {
  readonly rows: readonly FoundRow[];
  readonly total: number;
  /** The query that was searched for instead; null if it is the one that was given. */
  readonly instead: string | null;
}

/** Sorts and hashes the hits of a common word in memory, and avoids JIT compilation for a statement of a few milliseconds. */
const SETTINGS = `SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
  set_config('pg_trgm.similarity_threshold', '0.2', true)`;

@Injectable()
export class SearchRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * A page of results, best first, and the total, from one snapshot of the data. If no recording has all of the query, its
   * unknown words are replaced by similar ones, and if none has all of that either, those that have most of it are found.
   */
  async page(search: Search): Promise<SearchPage> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query(SETTINGS);
      const first = search.asks ? 'partial' : 'full';
      const asTyped = await findRecordings(manager, search, search.query, first);
      if (asTyped.anyWhole) return pageOf(manager, search, search.query, asTyped);
      const corrections = await correctionsOf(manager, search, asTyped.units);
      const query = corrected(search.query, corrections);
      const again = corrections.size > 0 ? await findRecordings(manager, search, query, first) : asTyped;
      if (again.anyWhole || first === 'partial') return pageOf(manager, search, query, again);
      return pageOf(manager, search, query, await findRecordings(manager, search, query, 'partial'));
    });
  }

  /** The recordings with a readable transcript that have any of the query, best first. */
  async about(search: Search): Promise<RecordingAbout[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query(SETTINGS);
      const { rows } = await findRecordings(manager, search, search.query, 'any');
      const found = rows.map(({ id, score }) => ({ id, score: Number(score) }));
      if (search.speaker === undefined) return found.map((one) => ({ ...one, speakers: null }));
      const labels = await labelsOf(
        manager,
        search.speaker,
        found.map(({ id }) => id),
      );
      return found.map((one) => ({ ...one, speakers: labels.get(one.id) ?? [] }));
    });
  }
}

/** A recording that a question may be about. */
export interface RecordingAbout {
  readonly id: string;
  readonly score: number;
  /** The labels of the speaker that was asked for; null for all. */
  readonly speakers: readonly string[] | null;
}

/** The labels that a name matches, by recording. */
async function labelsOf(
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

async function pageOf(
  manager: EntityManager,
  search: Search,
  query: SearchQuery,
  { rows, total, units }: Found,
): Promise<SearchPage> {
  const matches = rows.length > 0 ? await matchesIn(manager, search, query, units, rows) : [];
  return {
    rows: rows.map((row) => ({
      ...row,
      score: Number(row.score),
      matches: matches.filter(({ id }) => id === row.id),
    })),
    total,
    instead: typed(query) === typed(search.query) || total === 0 ? null : typed(query),
  };
}

async function matchesIn(
  manager: EntityManager,
  search: Search,
  query: SearchQuery,
  units: readonly PreparedUnit[],
  page: readonly FoundPageRow[],
): Promise<MatchRow[]> {
  const words = looseWords(query).map((text) => ({ kind: 'words', text, excluded: false }) as const);
  const loose = words.length > 0 ? await prepare(manager, search, [words]) : [];
  const speaker = search.speaker === undefined ? null : speakerQuery(search.speaker);
  const wanted = { units, loose, speaker, marks: denseMarks(query) };
  return run(manager, snippetsStatement(wanted, page.map(readableRecording)));
}

const readableRecording = ({ id, config, open, summary, transcript }: FoundPageRow) => ({
  id,
  config,
  notes: open,
  summary: summary === true,
  transcript: transcript === true,
});
