import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SearchIndexService } from './search-index.service.js';

const JOB = 'search.refresh';
/** After what somebody waits for: the entries are valid meanwhile, but found where the recordings were before. */
const PRIORITY = 60;

interface Refresh {
  readonly recordingId: string;
}

const keyOf = ({ recordingId }: Refresh): string => `search:${recordingId}`;

/** Writes the index entries of recordings again, in jobs: those of a long meeting take seconds. */
@Injectable()
export class SearchRefreshService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly index: SearchIndexService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<Refresh>(JOB, ({ recordingId }) =>
      this.dataSource.transaction((manager) =>
        this.index.refresh(manager, recordingId, { texts: true, transcript: true }),
      ),
    );
  }

  /**
   * To be called in the transaction that moves recordings to another organization: a search of it finds them shortly after.
   * Each recording has at most one waiting job, however often it is moved; `owner` is whose fair share they count towards.
   */
  async enqueue(manager: EntityManager, recordingIds: readonly string[], owner?: JobOwner): Promise<void> {
    const payloads = recordingIds.map((recordingId) => ({ recordingId }));
    await this.jobs.enqueue(manager, JOB, payloads, { key: keyOf, owner, priority: PRIORITY });
  }
}
