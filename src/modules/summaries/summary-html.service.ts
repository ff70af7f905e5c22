import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { WorkLimitError, WorkPool } from '../../platform/work/work-pool.service.js';
import { SAFE_HTML } from './safe-html.task.js';

const SECONDS = 10;
/** Stored if the content cannot be rendered. */
const AS_TEXT = '';

const HTML = { name: 'summary-html', text: 'SELECT html FROM summaries WHERE recording_id = $1' };

/** Renders the content of summaries as HTML for share pages: once, when a summary is written, and stored with it. */
@Injectable()
export class SummaryHtmlService {
  constructor(
    private readonly pool: WorkPool,
    private readonly logger: AppLogger,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** The HTML to store; empty if it would be too large or take too long. */
  async render(caller: string, content: string | null): Promise<string> {
    if (!content) return AS_TEXT;
    try {
      return (await this.pool.run(SAFE_HTML, content, { caller, seconds: SECONDS })) ?? AS_TEXT;
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
}
