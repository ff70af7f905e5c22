import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { vectorOf } from './public/text-search.sql.js';

const SWEEP_JOB = 'search.sweep-words';

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

/** Keeps the vocabulary of the search index small. */
@Injectable()
export class SearchUpkeepService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(SWEEP_JOB, () => this.sweep(), { schedule: '23 * * * *' });
  }

  async sweep(): Promise<void> {
    const part = Math.floor(this.clock.now().getTime() / HOUR_MS) % PARTS;
    await this.dataSource.query(SWEEP, [part]);
  }
}
