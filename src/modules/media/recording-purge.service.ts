import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { ChosenJob } from '../../platform/jobs/job-lane.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { MediaService } from './media.service.js';

/** A kind of purge: which recordings it deletes. */
export interface Purge<Payload> {
  /** Deletes some of them and returns their ids. */
  readonly batch: string;
  readonly parameters: (payload: Payload) => unknown[];
  /** Once none is left. */
  readonly finish?: (payload: Payload) => Promise<void>;
}

/** Only when nothing else is waiting: the recordings cannot be reached any more. */
const PRIORITY = 100;

interface PurgeRun<Payload> {
  readonly task: string;
  readonly purge: Purge<Payload>;
  readonly payload: Payload;
  readonly job: ChosenJob;
}

/** Deletes more recordings than a request can wait for, in a job: batch by batch, giving way to other jobs between two. */
@Injectable()
export class RecordingPurgeService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly media: MediaService,
  ) {}

  /** Registers a task; called by a module on startup. */
  handle<Payload>(task: string, purge: Purge<Payload>): void {
    this.jobs.handle<Payload>(task, (payload, stop, job) => this.run({ task, purge, payload, job }, stop));
  }

  /** To be called in the transaction that makes the recordings unreachable. */
  async begin<Payload>(manager: EntityManager, task: string, payload: Payload): Promise<void> {
    await this.jobs.enqueue(manager, task, [payload], { priority: PRIORITY });
  }

  private async run<Payload>(
    { task, purge, payload, job }: PurgeRun<Payload>,
    stop: AbortSignal,
  ): Promise<void> {
    while (await this.deleteBatch(purge.batch, purge.parameters(payload))) {
      // Continued by the next attempt.
      stop.throwIfAborted();
      if (await this.jobs.isOutranked(task, job)) {
        await this.begin(this.dataSource.manager, task, payload);
        return;
      }
    }
    await purge.finish?.(payload);
  }

  /** Whether there was any. */
  private deleteBatch(batch: string, parameters: unknown[]): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      // oxlint-disable-next-line service/static-sql -- A constant of the module that registers the purge.
      const rows: { id: string }[] = await manager.query(batch, parameters);
      if (rows.length === 0) return false;
      await this.media.scheduleDeletion(
        manager,
        rows.map(({ id }) => id),
      );
      return true;
    });
  }
}
