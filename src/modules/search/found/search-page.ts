import type { EntityManager } from 'typeorm';
import type { ListedRow } from '../../recordings/list/public/listed-recording.sql.js';
import { corrected, looseWords, typed, type SearchQuery } from '../query/search-query.js';
import { denseMarks } from '../snippets/dense-marks.js';
import { findMatches, type MatchRow } from '../snippets/snippets.queries.js';
import { findCorrections } from './corrections.js';
import {
  findRecordings,
  readSpeakerLabels,
  setSearchSettings,
  type Found,
  type FoundPageRow,
} from './found-recordings.queries.js';
import { type Matching, type Search, speakerQuery } from './found.sql.js';
import { prepareUnits, type PreparedUnit } from './units.queries.js';

export interface FoundRow extends ListedRow {
  /** Whether it has everything that was asked for. */
  readonly whole: boolean;
  readonly score: number;
  readonly matches: readonly MatchRow[];
}

interface SearchPage {
  readonly rows: readonly FoundRow[];
  readonly total: number;
  /** The query that was searched for instead; null if it is the one that was given. */
  readonly instead: string | null;
}

/**
 * Finds a page of results, best first, and the total, in a transaction that reads one snapshot. If no recording has all
 * of the query, its unknown words are replaced by similar ones, and if none has all of that either, those that have
 * most of it are found.
 */
export async function searchPage(manager: EntityManager, search: Search): Promise<SearchPage> {
  await setSearchSettings(manager);
  const first = search.asks ? 'partial' : 'full';
  const asTyped = await find(manager, search, search.query, first);
  if (asTyped.anyWhole) return pageOf(manager, search, search.query, asTyped);
  const corrections = await findCorrections(manager, search, asTyped.units);
  const query = corrected(search.query, corrections);
  const again = corrections.size > 0 ? await find(manager, search, query, first) : asTyped;
  if (again.anyWhole || first === 'partial') return pageOf(manager, search, query, again);
  return pageOf(manager, search, query, await find(manager, search, query, 'partial'));
}

/** A recording that a question may be about. */
export interface RecordingAbout {
  readonly id: string;
  readonly score: number;
  /** The labels of the speaker that was asked for; null for all. */
  readonly speakers: readonly string[] | null;
}

/** Finds the recordings with a readable transcript that have any of the query, best first, in such a transaction. */
export async function searchAbout(manager: EntityManager, search: Search): Promise<RecordingAbout[]> {
  await setSearchSettings(manager);
  const { rows } = await find(manager, search, search.query, 'any');
  const ids = rows.map(({ id }) => id);
  const labels = search.speaker === undefined ? null : await readSpeakerLabels(manager, search.speaker, ids);
  return rows.map(({ id, score }) => ({
    id,
    score: Number(score),
    speakers: labels && (labels.get(id) ?? []),
  }));
}

interface FoundUnits extends Found {
  readonly units: readonly PreparedUnit[];
}

async function find(
  manager: EntityManager,
  search: Search,
  query: SearchQuery,
  matching: Matching,
): Promise<FoundUnits> {
  const units = await prepareUnits(manager, query, scopesOf(search));
  return { ...(await findRecordings(manager, search, units, matching)), units };
}

const scopesOf = ({ readable }: Search): string[] => readable.map(({ id }) => id);

async function pageOf(
  manager: EntityManager,
  search: Search,
  query: SearchQuery,
  { rows, total, units }: FoundUnits,
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
  const loose = words.length > 0 ? await prepareUnits(manager, [words], scopesOf(search)) : [];
  const speaker = search.speaker === undefined ? null : speakerQuery(search.speaker);
  return findMatches(manager, { units, loose, speaker, marks: denseMarks(query) }, page);
}
