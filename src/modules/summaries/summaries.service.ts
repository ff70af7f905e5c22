import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { fileNameOf } from '../../contract/file-name.js';
import type { TextFile } from '../../platform/http/replies/text-file.js';
import type { Caller } from '../../policy/caller.js';
import { PipelineService } from '../pipeline/pipeline.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { SUMMARY_FILES, type SummaryFormat } from './dto/summary.dto.js';
import { presentRecordingSummary } from './dto/summary.response.dto.js';
import { Summary } from './entities/summary.entity.js';
import type { SummaryContent } from './dto/summary-content.dto.js';
import { summaryMarkdown } from './summary-markdown.js';

const WRITE = `
  INSERT INTO summaries (recording_id, status, content, html, topics)
  VALUES ($1, 'completed', $2, $3, $4)
  ON CONFLICT (recording_id) DO UPDATE
  SET status = excluded.status, status_reason = NULL, attempt_id = NULL, content = excluded.content,
      html = excluded.html, topics = excluded.topics, revision = summaries.revision + 1`;

/** Reads and writes stored summaries. */
@Injectable()
export class SummariesService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly pipeline: PipelineService,
    private readonly searchIndex: SearchIndexService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** The summary with its status or, with a format, as a file. */
  async read(
    caller: Caller,
    recordingId: string,
    format: SummaryFormat | null,
  ): Promise<{ summary: Summary | null } | { file: TextFile }> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'summaries');
    const summary = await this.find(row.id);
    if (!format) return { summary };
    if (summary?.status !== 'completed') {
      const status = summary?.status ?? 'not_started';
      throw new DomainError(
        'CONFLICT',
        `The summary is ${status}. It can be downloaded once it is completed.`,
      );
    }
    const text =
      format === 'md'
        ? summaryMarkdown(row.title, summary)
        : `${JSON.stringify({ data: presentRecordingSummary(summary) })}\n`;
    const { type, extension } = SUMMARY_FILES[format];
    return { file: { type, fileName: fileNameOf(row.title, extension), content: Readable.from([text]) } };
  }

  /** Starts generating a summary, the first one or a new one. */
  async generate(caller: Caller, recordingId: string): Promise<void> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'summaries');
    const transcription = row.transcript_status ?? 'not_started';
    if (transcription !== 'completed') {
      throw new DomainError(
        'CONFLICT',
        `The transcription is ${transcription}. A summary needs a completed transcription.`,
      );
    }
    const owner = { userId: caller.id, organizationId: row.organization_id };
    await this.dataSource.transaction(async (manager) => {
      if (await this.pipeline.summarize(manager, { recordingId: row.id, owner })) return;
      throw new DomainError('CONFLICT', 'A summary is already being generated.');
    });
  }

  /** Null if there is none yet. */
  async find(recordingId: string): Promise<Summary | null> {
    return this.dataSource.manager.findOneBy(Summary, { recordingId });
  }

  /** Whether this is its summary. */
  async has(
    manager: EntityManager,
    recordingId: string,
    { content, topics }: SummaryContent,
  ): Promise<boolean> {
    const found = await manager.findOneBy(Summary, { recordingId });
    return (
      found !== null && JSON.stringify([found.content, found.topics]) === JSON.stringify([content, topics])
    );
  }

  /**
   * Replaces the summary, in the transaction of `manager`, which must hold the lock on the recording. A current attempt is
   * superseded. `html` is the content as `SummaryHtmlService` renders it.
   */
  async replace(
    manager: EntityManager,
    recordingId: string,
    { content, topics }: SummaryContent,
    html: string | null,
  ): Promise<void> {
    await manager.query(WRITE, [recordingId, content, html, JSON.stringify(topics)]);
    await this.searchIndex.refresh(manager, recordingId, { texts: true });
  }
}
