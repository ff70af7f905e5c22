import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ChosenJob } from '../../platform/jobs/job-lane.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { OrganizationChangesService } from '../organizations/organization-changes.service.js';
import {
  enqueuePurge,
  RECORDING_PURGES,
  type OrganizationPurge,
} from '../organizations/public/recording-purges.js';
import { MediaService } from './media.service.js';
import { deleteSomeOfNobody, deleteSomeOfOrganization } from './recording-purge.queries.js';

interface Purge {
  readonly task: string;
  readonly payload: object;
  readonly job: ChosenJob;
  /** Deletes some recordings and returns their ids. */
  readonly deleteSome: (manager: EntityManager) => Promise<string[]>;
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
    const { ofUsers, ofOrganization } = RECORDING_PURGES;
    this.jobs.handle<object>(ofUsers, async (payload, stop, job) => {
      await this.purge({ task: ofUsers, payload, job, deleteSome: deleteSomeOfNobody }, stop);
    });
    this.jobs.handle<OrganizationPurge>(ofOrganization, async (payload, stop, job) => {
      const { organizationId } = payload;
      const deleteSome = (manager: EntityManager) => deleteSomeOfOrganization(manager, organizationId);
      const isDone = await this.purge({ task: ofOrganization, payload, job, deleteSome }, stop);
      if (isDone) await this.organizations.finishDeletion(organizationId);
    });
  }

  /** Returns whether none is left; otherwise another job continues. */
  private async purge({ task, payload, job, deleteSome }: Purge, stop: AbortSignal): Promise<boolean> {
    while (await this.deleteBatch(deleteSome)) {
      // Continued by the next attempt.
      stop.throwIfAborted();
      if (await this.jobs.isOutranked(task, job)) {
        await enqueuePurge(this.jobs, this.dataSource.manager, task, payload);
        return false;
      }
    }
    return true;
  }

  /** Returns whether there was any. */
  private deleteBatch(deleteSome: Purge['deleteSome']): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const ids = await deleteSome(manager);
      if (ids.length > 0) await this.media.scheduleDeletion(manager, ids);
      return ids.length > 0;
    });
  }
}
