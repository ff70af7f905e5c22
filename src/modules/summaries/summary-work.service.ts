import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DatabaseServer } from '../../platform/database/database-server.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { WorkLimitError, WorkPool } from '../../platform/work/work-pool.service.js';
import {
  ContentWorkService,
  type ContentJob,
  type ContentWork,
} from '../content-work/content-work.service.js';
import { SUMMARIZE } from './summarize.task.js';
import { SummariesService } from './summaries.service.js';
import { SummaryRefusedError } from './summarizer.js';
import { SUMMARIZE_JOB, summarizedRecording, SummaryQueueService } from './summary-queue.service.js';

const GIVEN_UP = 'The summary could not be generated. Trying again may help.';
const TOO_LONG =
  'The transcript is too long for a summary: generating it exceeded the limit on time or memory.';
/** Seconds. A chat server may be slow; an extractive summary of a meeting of several hours takes less than one. */
const LIMIT = { extractive: 300, chat: 4 * 3600 };

/** The job that generates a summary. */
@Injectable()
export class SummaryWorkService implements OnModuleInit {
  constructor(
    private readonly jobs: JobsService,
    private readonly queue: SummaryQueueService,
    private readonly work: ContentWorkService,
    private readonly database: DatabaseServer,
    private readonly pool: WorkPool,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly summaries: SummariesService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ContentJob>(SUMMARIZE_JOB, (job, stop) => this.run(job, stop), {
      lane: 'summary',
      onExhausted: (key) => this.work.fail('summaries', summarizedRecording(key), GIVEN_UP),
    });
  }

  private async run(job: ContentJob, stop: AbortSignal): Promise<void> {
    const work: ContentWork = {
      make: (signal) => this.make(job, signal),
      refusal: refusalOf,
      again: () => this.queue.enqueue(this.dataSource.manager, job),
    };
    await this.work.run('summaries', job, work, stop);
  }

  private async make(job: ContentJob, signal: AbortSignal): Promise<void> {
    const { recordingId } = job;
    const { chat } = this.settings;
    const seconds = chat ? LIMIT.chat : LIMIT.extractive;
    const summarized = await this.pool.run(
      SUMMARIZE,
      { databaseUrl: this.database.url, recordingId, chat, seconds },
      { caller: recordingId, seconds, signal },
    );
    if ('refusal' in summarized) throw new SummaryRefusedError(summarized.refusal);
    const { made, html } = summarized;
    await this.dataSource.transaction(async (manager) => {
      await this.work.requireCurrent(manager, 'summaries', job);
      await this.summaries.replace(manager, recordingId, { ...made, topics: [...made.topics] }, html ?? '');
    });
  }
}

function refusalOf(error: unknown): string | null {
  if (error instanceof WorkLimitError) return TOO_LONG;
  return error instanceof SummaryRefusedError ? error.message : null;
}
