import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../contract/domain-error.js';
import { newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import type { Caller } from '../../policy/caller.js';
import { ContentWorkService, type ContentJob } from '../content-work/content-work.service.js';
import { RecordingAccessService } from '../recording-access/recording-access.service.js';

export const SUMMARIZE_JOB = 'summaries.summarize';
/** Delays between the attempts are 3, 7 and 20 seconds. */
const MAX_ATTEMPTS = 4;

/** Enqueues summaries; any free worker generates them. */
@Injectable()
export class SummaryQueueService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly work: ContentWorkService,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

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
      if (!segments || !(await this.work.beginFirst(inner, 'summaries', recordingId, attempt))) return;
      await this.enqueue(inner, { recordingId, attempt, owner: { userId, organizationId } });
    });
  }

  async enqueue(manager: EntityManager, job: ContentJob): Promise<void> {
    const options = { key: `summarize:${job.recordingId}`, maxAttempts: MAX_ATTEMPTS, owner: job.owner };
    await this.jobs.enqueue(manager, SUMMARIZE_JOB, [job], options);
  }
}

export const summarizedRecording = (key: string): string => key.slice('summarize:'.length);
