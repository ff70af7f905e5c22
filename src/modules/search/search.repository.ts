import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Parameters } from '../../platform/database/statement.js';
import type { TranscriptSegment } from '../transcripts/entities/transcript-chunk.entity.js';
import { joinListed, type ListedRow } from '../recording-list/entities/listed-recording.sql.js';
import type { SearchSource } from '../search-index/entities/search-entry.entity.js';
import type { SearchQuery } from './search-query.js';
import { snippetsStatement } from './search-snippets.sql.js';
import { foundSql, queriesSql, type ReadableScope } from './search.sql.js';

export interface FoundRow extends ListedRow {
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

export interface Search {
  readonly query: SearchQuery;
  /** Which recordings the caller can see, as a condition on a row `r` of `recordings`. */
  readonly visible: (parameters: Parameters) => string;
  readonly readable: readonly ReadableScope[];
  readonly limit: number;
  readonly offset: number;
}

interface PageRow extends Omit<FoundRow, 'id' | 'matches'> {
  readonly total: string;
  readonly id: string | null;
  readonly config: string;
  readonly open: boolean;
  readonly transcript: boolean | null;
  readonly summary: boolean | null;
}

/** Sorts and hashes the hits of a common word in memory, and avoids JIT compilation for a statement of a few milliseconds. */
const SETTINGS = `SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`;

@Injectable()
export class SearchRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A page of results, best first, and the total, from one snapshot of the data. */
  async page(search: Search): Promise<{ rows: FoundRow[]; total: number }> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query(SETTINGS);
      const found = await this.found(manager, search);
      const rows = found.filter((row): row is PageRow & { readonly id: string } => row.id !== null);
      const total = Number(found[0]?.total ?? 0);
      if (rows.length === 0) return { rows: [], total };
      const { sql, parameters } = snippetsStatement(
        search.query,
        rows.map(readableRecording),
        new Parameters(),
      );
      const matches: MatchRow[] = await manager.query(sql, parameters);
      return {
        rows: rows.map((row) => ({ ...row, matches: matches.filter(({ id }) => id === row.id) })),
        total,
      };
    });
  }

  private async found(manager: EntityManager, search: Search): Promise<PageRow[]> {
    const parameters = new Parameters();
    const { sql, parameters: values } = parameters.statement(`
      WITH RECURSIVE ${queriesSql(search.query, search.readable, parameters)},
      ${foundSql(search.visible(parameters))},
      page AS (
        SELECT * FROM found ORDER BY score DESC, created_at DESC, id
        LIMIT ${parameters.bind(search.limit, 'bigint')} OFFSET ${parameters.bind(search.offset, 'bigint')}
      ),
      total AS (SELECT count(*) AS total FROM found)
      SELECT total.total, page.score::float8, page.config, page.open, page.transcript, page.summary, listed.*
      FROM total
      LEFT JOIN page ON true
      ${joinListed('page.id')}
      ORDER BY page.score DESC, page.created_at DESC, page.id`);
    return manager.query(sql, values);
  }
}

const readableRecording = ({ id, config, open, summary, transcript }: PageRow & { readonly id: string }) => ({
  id,
  config,
  notes: open,
  summary: summary === true,
  transcript: transcript === true,
});
