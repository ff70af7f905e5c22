import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { WorkLimitError, WorkPool } from '../../platform/work/work-pool.service.js';
import { RENDER_SUMMARY } from './render-summary.task.js';

const RENDER_JOB = 'summaries.render';
const SECONDS = 10;
const BATCH = 100;
/** Stored if the content cannot be rendered. */
const AS_TEXT = '';

const HTML = { name: 'summary-html', text: 'SELECT html FROM summaries WHERE recording_id = $1' };
const NOT_RENDERED = `
  SELECT recording_id AS "recordingId", content, revision FROM summaries
  WHERE content <> '' AND html IS NULL ORDER BY recording_id LIMIT ${BATCH}`;

/** Renders the content of summaries as HTML for share pages: once, when a summary is written, and stored with it. */
@Injectable()
export class SummaryHtmlService implements OnModuleInit {
  constructor(
    private readonly pool: WorkPool,
    private readonly jobs: JobsService,
    private readonly logger: AppLogger,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Summaries of earlier releases are rendered by a job. */
  onModuleInit(): void {
    this.jobs.handle(RENDER_JOB, (_, signal) => this.renderAll(signal), { schedule: '* * * * *' });
  }

  /** The HTML to store; empty if it would be too large or take too long. */
  async render(caller: string, content: string | null, signal?: AbortSignal): Promise<string> {
    if (!content) return AS_TEXT;
    try {
      return (await this.pool.run(RENDER_SUMMARY, content, { caller, seconds: SECONDS, signal })) ?? AS_TEXT;
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error;
      this.logger.warn({ caller, err: error }, 'could not render a summary; it is shown as text');
      return AS_TEXT;
    }
  }

  /** The stored HTML; null if the content has to be shown as text. */
  async of(recordingId: string): Promise<string | null> {
    const [found] = await preparedQuery<{ html: string | null }>(this.dataSource, HTML, [recordingId]);
    return found?.html || null;
  }

  private async renderAll(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const batch: { recordingId: string; content: string; revision: number }[] =
        await this.dataSource.query(NOT_RENDERED);
      if (batch.length === 0) return;
      for (const { recordingId, content, revision } of batch) {
        const html = await this.render(recordingId, content, signal);
        await this.dataSource.query(
          'UPDATE summaries SET html = $2 WHERE recording_id = $1 AND revision = $3',
          [recordingId, html, revision],
        );
      }
    }
  }
}
