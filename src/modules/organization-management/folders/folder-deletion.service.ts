import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Folder } from '../../organizations/entities/folder.entity.js';

const JOB = 'folders.delete';
const BATCH = 1_000;

const COUNT = 'SELECT count(*)::int AS count FROM recordings WHERE folder_id = $1';

/** Locked in the order of all other transactions. */
const MOVE_OUT = `
  WITH picked AS (SELECT id FROM recordings WHERE folder_id = $1 LIMIT ${BATCH}),
  batch AS (
    SELECT id FROM recordings WHERE id IN (SELECT id FROM picked) AND folder_id = $1 ORDER BY id FOR NO KEY UPDATE)
  UPDATE recordings r SET folder_id = NULL FROM batch WHERE r.id = batch.id`;

const EMPTY = 'SELECT FROM recordings WHERE folder_id = $1 LIMIT 1';

/**
 * Deletes folders, which may hold more recordings than one request can move: it becomes inactive, and an inactive folder
 * counts as none. A job then moves its recordings out and removes it.
 */
@Injectable()
export class FolderDeletionService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ folderId: string }>(JOB, ({ folderId }, stop) => this.finish(folderId, stop));
  }

  /** Returns the number of recordings that are now in no folder. Its name is free again. */
  async begin(manager: EntityManager, id: string): Promise<number> {
    const [row]: { count: number }[] = await manager.query(COUNT, [id]);
    // No other folder can have this name: names are trimmed.
    await manager.update(Folder, { id }, { active: false, name: ` ${id}`, deletedAt: this.clock.now() });
    await this.jobs.enqueue(manager, JOB, [{ folderId: id }]);
    return row?.count ?? 0;
  }

  private async finish(id: string, stop: AbortSignal): Promise<void> {
    for (;;) {
      // Continued by the next attempt.
      stop.throwIfAborted();
      await this.dataSource.query(MOVE_OUT, [id]);
      const rest: object[] = await this.dataSource.query(EMPTY, [id]);
      if (rest.length === 0) break;
    }
    await this.dataSource.manager.delete(Folder, { id });
  }
}
