import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { vectorOf } from '../../platform/language/text-search.sql.js';
import { SearchIndexService } from './search-index.service.js';

const REINDEX_JOB = 'search.reindex';
const SWEEP_JOB = 'search.sweep-words';

/** Recordings to index in a row, in a transaction each. */
const BATCH = 10;
const NEXT = `SELECT id FROM recordings WHERE id > (SELECT after_id FROM search_reindex) ORDER BY id LIMIT ${BATCH}`;

/** The vocabulary is swept in this many parts, one an hour: all of it in a week. */
const PARTS = 7 * 24;
const HOUR_MS = 3_600_000;

/** Removes the words of one part that no text of their scope has any more, and duplicates. */
const SWEEP = `
  DELETE FROM search_words w
  WHERE abs(hashtext(word)::bigint) % ${PARTS} = $1 AND (
    EXISTS (SELECT FROM search_words same WHERE same.scope_id = w.scope_id AND same.word = w.word AND same.ctid < w.ctid)
    OR NOT EXISTS (
      SELECT FROM (SELECT DISTINCT config FROM search_entries e WHERE e.scope_id = w.scope_id) used
      JOIN search_entries e ON e.config = used.config AND e.scope_id = w.scope_id
        AND e.words @@ strip(${vectorOf('used.config', 'w.word')})::text::tsquery))`;

/** Keeps the search index as the current release writes it, and its vocabulary small. */
@Injectable()
export class SearchUpkeepService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly index: SearchIndexService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(REINDEX_JOB, (_payload, signal) => this.reindex(signal), { schedule: '* * * * *' });
    this.jobs.handle(SWEEP_JOB, () => this.sweep(), { schedule: '23 * * * *' });
  }

  /**
   * Indexes anew what an earlier release has indexed. Until then the search finds it as before. Rests as long as it works, so
   * that requests keep half of the database.
   */
  async reindex(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const found: { id: string }[] = await this.dataSource.query(NEXT);
      const last = found.at(-1);
      if (!last) break;
      const started = performance.now();
      for (const { id } of found) {
        await this.dataSource.transaction((manager) =>
          this.index.refresh(manager, id, { texts: true, transcript: true }),
        );
      }
      await this.dataSource.query('UPDATE search_reindex SET after_id = $1', [last.id]);
      await sleep(performance.now() - started, undefined, { signal });
    }
    await this.dataSource.query('DELETE FROM search_reindex');
  }

  async sweep(): Promise<void> {
    const part = Math.floor(this.clock.now().getTime() / HOUR_MS) % PARTS;
    await this.dataSource.query(SWEEP, [part]);
  }
}
