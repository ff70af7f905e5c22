import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { DatabaseServer } from '../../../platform/database/servers/database-server.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { traceHeaders } from '../../../platform/telemetry/spans.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';
import { WorkLimitError, WorkPool } from '../../../platform/work/work-pool.service.js';
import { SummariesService } from '../../summaries/summaries.service.js';
import { ContentService } from '../content.service.js';
import { type Attempt, RefusedError } from '../public/steps.js';
import type { ContentJob } from '../public/content.js';
import { StepJobsService } from '../step-jobs.service.js';
import type { SummarizeInput, Summarized } from './summarize.task.js';

/** Not imported: only threads need what it loads. */
const SUMMARIZE: ThreadTask<SummarizeInput, Summarized> = {
  module: new URL('./summarize.task.js', import.meta.url).href,
};
const GIVEN_UP = 'The summary could not be generated. Trying again may help.';
const TOO_LONG =
  'The transcript is too long for a summary: generating it exceeded the limit on time or memory.';
/** Seconds. A chat server may be slow; an extractive summary of a meeting of several hours takes less than one. */
const LIMIT = { extractive: 300, chat: 4 * 3600 };

@Injectable()
export class SummarizingStep implements OnModuleInit {
  constructor(
    private readonly steps: StepJobsService,
    private readonly content: ContentService,
    private readonly database: DatabaseServer,
    private readonly pool: WorkPool,
    private readonly summaries: SummariesService,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    const { manager } = this.dataSource;
    this.steps.handle<ContentJob, ContentJob>('summarize', {
      ...this.content.stepOf('summaries', GIVEN_UP),
      run: (attempt) => this.run(attempt),
      again: ({ job }) => this.steps.enqueue(manager, 'summarize', job, { owner: job.owner }),
      refusalOf: (error) => (error instanceof WorkLimitError ? TOO_LONG : null),
    });
  }

  private async run({ job, signal }: Attempt<ContentJob>): Promise<void> {
    const { recordingId } = job;
    const { chat, chatMaxTokens: maxTokens } = this.settings;
    const seconds = chat ? LIMIT.chat : LIMIT.extractive;
    const summarized = await this.pool.run(
      SUMMARIZE,
      { databaseUrl: this.database.url, recordingId, chat, maxTokens, seconds, trace: traceHeaders() },
      { caller: recordingId, seconds, signal },
    );
    if ('refusal' in summarized) throw new RefusedError(summarized.refusal);
    const { made, html, quotedFrom } = summarized;
    if (quotedFrom !== null) {
      const message = 'summaries: CHAT_MAX_TOKENS is used up; the rest of the meeting is quoted';
      this.logger.warn({ recordingId, from: quotedFrom }, message);
    }
    await this.dataSource.transaction(async (manager) => {
      await this.content.requireCurrent(manager, 'summaries', job);
      const origin = { cause: 'generation', userId: null } as const;
      await this.summaries.replace(manager, recordingId, made, html ?? '', origin);
    });
  }
}
