import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ObjectStore } from '../../platform/storage/object-store.js';

const FOLD_JOB = 'quotas.fold-usage';
const MEASURE_JOB = 'quotas.measure-recordings';
const EVERY_MINUTE = '* * * * *';
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;
const FILES_AT_ONCE = 8;

/** One statement, so that the rows of a scope add up at any moment; if two run at once, one finds the rows gone. */
const FOLD = `
  WITH fresh AS (SELECT DISTINCT scope_id FROM quota_usage WHERE NOT folded),
  taken AS (
    DELETE FROM quota_usage u USING fresh WHERE u.scope_id = fresh.scope_id
    RETURNING u.scope_id, u.day, u.recordings, u.stored_bytes, u.uploads)
  INSERT INTO quota_usage (scope_id, day, recordings, stored_bytes, uploads, folded)
  SELECT scope_id, day, sum(recordings), sum(stored_bytes), sum(uploads), true FROM taken
  GROUP BY scope_id, day HAVING sum(recordings) <> 0 OR sum(stored_bytes) <> 0 OR sum(uploads) <> 0`;

const UNMEASURED = `
  SELECT id, COALESCE(source_key, media_key) AS key FROM recordings WHERE stored_bytes IS NULL ORDER BY id LIMIT ${BATCH}`;

const MEASURED = `
  UPDATE recordings r SET stored_bytes = m.size FROM unnest($1::uuid[], $2::bigint[]) AS m (id, size)
  WHERE r.id = m.id AND r.stored_bytes IS NULL`;

/** Keeps `quota_usage`, to which triggers add a row for every change, small and complete. */
@Injectable()
export class QuotaUpkeepService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(FOLD_JOB, () => this.fold(), { schedule: EVERY_MINUTE });
    this.jobs.handle(MEASURE_JOB, (_payload, stop) => this.measure(stop), { schedule: EVERY_MINUTE });
  }

  /** Adds up the rows of each scope, and removes those of days before yesterday. */
  async fold(): Promise<void> {
    const yesterday = new Date(this.clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    await this.dataSource.query('DELETE FROM quota_usage WHERE day < $1', [yesterday]);
    await this.dataSource.query(FOLD);
  }

  /** Looks up the size of recordings that have none, such as those from before there were quotas. */
  async measure(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const rows: { id: string; key: string | null }[] = await this.dataSource.query(UNMEASURED);
      if (rows.length === 0) return;
      const sizes: number[] = [];
      for (let at = 0; at < rows.length; at += FILES_AT_ONCE) {
        const batch = rows.slice(at, at + FILES_AT_ONCE);
        sizes.push(...(await Promise.all(batch.map(({ key }) => this.sizeOf(key)))));
      }
      await this.dataSource.query(MEASURED, [rows.map(({ id }) => id), sizes]);
    }
  }

  /** 0 if there is no such object: there is nothing that could be deleted to make room. */
  private async sizeOf(key: string | null): Promise<number> {
    if (key === null) return 0;
    return (await this.objects.stat(key))?.size ?? 0;
  }
}
