import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ContentWorkService } from '../recordings/content-work.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import { SummariesService } from './summaries.service.js';
import { Summarizer, SummaryRefusedError, type SummarySource } from './summarizer.js';
import {
  SUMMARIZE_JOB,
  summarizedRecording,
  SummaryOrdersService,
  type SummaryOrder,
} from './summary-orders.service.js';

const GIVEN_UP = 'The summary could not be made; trying again may help.';
const NO_TRANSCRIPT = 'There is no transcript any more.';

/** The job that makes a summary. It may die anywhere and run twice: only the attempt that counts is written. */
@Injectable()
export class SummaryWorkService implements OnModuleInit {
  constructor(
    private readonly jobs: JobsService,
    private readonly orders: SummaryOrdersService,
    private readonly work: ContentWorkService,
    private readonly transcripts: TranscriptsService,
    private readonly summarizer: Summarizer,
    private readonly summaries: SummariesService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<SummaryOrder>(SUMMARIZE_JOB, (order, stop) => this.run(order, stop), {
      onExhausted: (key) => this.work.fail('summaries', summarizedRecording(key), GIVEN_UP),
    });
  }

  private async run(order: SummaryOrder, stop: AbortSignal): Promise<void> {
    await this.work.run(
      {
        table: 'summaries',
        ...order,
        make: (signal) => this.make(order, signal),
        refusal: (error) => (error instanceof SummaryRefusedError ? error.message : null),
        again: () => this.orders.enqueue(this.dataSource.manager, order),
      },
      stop,
    );
  }

  private async make({ recordingId, attempt }: SummaryOrder, signal: AbortSignal): Promise<void> {
    const source = await this.source(recordingId);
    const { content, topics } = await this.summarizer.summarize(source, signal);
    await this.dataSource.transaction(async (manager) => {
      await this.work.requireCounting(manager, 'summaries', recordingId, attempt);
      await this.summaries.replace(manager, recordingId, { content, topics: [...topics] });
    });
  }

  private async source(recordingId: string): Promise<SummarySource> {
    const [head]: Omit<SummarySource, 'segments'>[] = await this.dataSource.query(
      `SELECT r.title, t.language, t.speakers FROM recordings r JOIN transcripts t ON t.recording_id = r.id
       WHERE r.id = $1 AND t.status = 'completed'`,
      [recordingId],
    );
    if (!head) throw new SummaryRefusedError(NO_TRANSCRIPT);
    return { ...head, segments: await this.transcripts.all(recordingId) };
  }
}
