import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Sql } from '../../platform/database/sql.js';
import type { ChosenJob } from '../../platform/jobs/job-lane.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { OrganizationChangesService } from '../organizations/organization-changes.service.js';
import {
  enqueuePurge,
  RECORDING_PURGES,
  type OrganizationPurge,
} from '../organizations/public/recording-purges.js';
import { MediaService } from './media.service.js';
import { deleteSome, OF_NOBODY, ofOrganization } from './media.queries.js';

interface Purge {
  readonly task: string;
  readonly payload: object;
  readonly job: ChosenJob;
  readonly recordings: Sql;
}

/** Deletes the recordings of deleted users and organizations: batch by batch, giving way to other jobs between two. */
@Injectable()
export class RecordingPurgeService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly media: MediaService,
    private readonly organizations: OrganizationChangesService,
  ) {}

  onModuleInit(): void {
    const { ofUsers, ofOrganization: task } = RECORDING_PURGES;
    this.jobs.handle<object>(ofUsers, async (payload, stop, job) => {
      await this.purge({ task: ofUsers, payload, job, recordings: OF_NOBODY }, stop);
    });
    this.jobs.handle<OrganizationPurge>(task, async (payload, stop, job) => {
      const { organizationId } = payload;
      const recordings = ofOrganization(organizationId);
      const isDone = await this.purge({ task, payload, job, recordings }, stop);
      if (isDone) await this.organizations.finishDeletion(organizationId);
    });
  }

  /** Returns whether none is left; otherwise another job continues. */
  private async purge({ task, payload, job, recordings }: Purge, stop: AbortSignal): Promise<boolean> {
    while (await this.deleteBatch(recordings)) {
      // Continued by the next attempt.
      stop.throwIfAborted();
      if (await this.jobs.isOutranked(task, job)) {
        await enqueuePurge(this.jobs, this.dataSource.manager, task, payload);
        return false;
      }
    }
    return true;
  }

  /** Deletes some of these recordings `r`, except those under legal hold, with all their files. Returns whether there was any. */
  deleteBatch(recordings: Sql): Promise<boolean> {
    return this.dataSource.transaction((manager) => this.deleteWithin(manager, recordings));
  }

  /** The same in the transaction of `manager`. */
  async deleteWithin(manager: EntityManager, recordings: Sql): Promise<boolean> {
    const ids = await deleteSome(manager, recordings);
    if (ids.length > 0) await this.media.scheduleDeletion(manager, ids);
    return ids.length > 0;
  }
}
