import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { DatabaseServer } from '../../../platform/database/database-server.js';
import { newId } from '../../../platform/ids.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkLimitError, WorkPool } from '../../../platform/work/work-pool.service.js';
import type { Caller } from '../../../policy/caller.js';
import { ContentWorkService, type ContentJob } from '../content-work.service.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { SUMMARIZE } from './summarize.task.js';
import { SummariesService } from '../../summaries/summaries.service.js';
import { SummaryRefusedError } from './summarizer.js';

const JOB = 'summaries.summarize';
/** Delays between the attempts are 3, 7 and 20 seconds. */
const MAX_ATTEMPTS = 4;
const GIVEN_UP = 'The summary could not be generated. Trying again may help.';
const TOO_LONG =
  'The transcript is too long for a summary: generating it exceeded the limit on time or memory.';
/** Seconds. A chat server may be slow; an extractive summary of a meeting of several hours takes less than one. */
const LIMIT = { extractive: 300, chat: 4 * 3600 };

/** Enqueues summaries, and generates them in jobs of any free worker. */
@Injectable()
export class SummaryWorkService implements OnModuleInit {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly jobs: JobsService,
    private readonly work: ContentWorkService,
    private readonly database: DatabaseServer,
    private readonly pool: WorkPool,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly summaries: SummariesService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ContentJob>(JOB, (job, stop) => this.run(job, stop), {
      lane: 'summary',
      onExhausted: (key) => this.work.fail('summaries', recordingOf(key), GIVEN_UP),
    });
  }

  /** Starts generating a summary, the first one or a new one. */
  async start(caller: Caller, recordingId: string): Promise<void> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'summaries');
    const transcription = row.transcript_status ?? 'not_started';
    if (transcription !== 'completed') {
      throw new DomainError(
        'CONFLICT',
        `The transcription is ${transcription}. A summary needs a completed transcription.`,
      );
    }
    const attempt = newId();
    const owner = { userId: caller.id, organizationId: row.organization_id };
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.work.begin(manager, 'summaries', row.id, attempt))) {
        throw new DomainError('CONFLICT', 'A summary is already being generated.');
      }
      await this.enqueue(manager, { recordingId: row.id, attempt, owner });
    });
  }

  /**
   * Starts the summary of a transcript in the transaction that writes it, if the owner's plan and feature flags allow it
   * and there has been no summary yet.
   */
  async startAutomatically(manager: EntityManager, recordingId: string): Promise<void> {
    if (!this.settings.autoSummarize) return;
    await this.work.follow(manager, recordingId, async (inner) => {
      const recording = await this.access.findForOwner(inner, recordingId);
      if (!recording?.access.capabilities.canGenerateSummary) return;
      const {
        owner_id: userId,
        organization_id: organizationId,
        transcript_segments_count: segments,
      } = recording.row;
      const attempt = newId();
      if (!segments || !(await this.work.begin(inner, 'summaries', recordingId, attempt, { first: true })))
        return;
      await this.enqueue(inner, { recordingId, attempt, owner: { userId, organizationId } });
    });
  }

  private async enqueue(manager: EntityManager, job: ContentJob): Promise<void> {
    const options = { key: keyOf(job.recordingId), maxAttempts: MAX_ATTEMPTS, owner: job.owner };
    await this.jobs.enqueue(manager, JOB, [job], options);
  }

  private async run(job: ContentJob, stop: AbortSignal): Promise<void> {
    const work = {
      make: (signal: AbortSignal) => this.make(job, signal),
      refusal: refusalOf,
      again: () => this.enqueue(this.dataSource.manager, job),
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
      await this.summaries.replace(manager, recordingId, made, html ?? '');
    });
  }
}

const KEY = 'summarize:';
const keyOf = (recordingId: string): string => KEY + recordingId;
const recordingOf = (key: string): string => key.slice(KEY.length);

function refusalOf(error: unknown): string | null {
  if (error instanceof WorkLimitError) return TOO_LONG;
  return error instanceof SummaryRefusedError ? error.message : null;
}
