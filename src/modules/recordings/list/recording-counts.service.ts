import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { foldCounts } from './recording-counts.queries.js';

const FOLD_JOB = 'recordings.fold-counts';

/**
 * Keeps the table of counts that the list adds up (`recording-total.sql.ts`) small: triggers insert a row for every
 * change, and once a minute a worker folds the rows of each count into one.
 */
@Injectable()
export class RecordingCountsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(FOLD_JOB, () => this.fold(), { schedule: '* * * * *' });
  }

  async fold(): Promise<void> {
    await foldCounts(this.dataSource.manager);
  }
}
