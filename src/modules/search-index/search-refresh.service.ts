import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { SearchIndexService } from './search-index.service.js';

const JOB = 'search.refresh';

/** Writes the index entries of recordings again, in jobs: those of a long meeting take seconds. */
@Injectable()
export class SearchRefreshService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly index: SearchIndexService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ recordingId: string }>(JOB, ({ recordingId }) =>
      this.dataSource.transaction((manager) =>
        this.index.refresh(manager, recordingId, { texts: true, transcript: true }),
      ),
    );
  }

  /** To be called in the transaction that moves recordings to another organization: a search of it finds them shortly after. */
  async enqueue(manager: EntityManager, recordingIds: readonly string[]): Promise<void> {
    const payloads = recordingIds.map((recordingId) => ({ recordingId }));
    await this.jobs.enqueue(manager, JOB, payloads);
  }
}
