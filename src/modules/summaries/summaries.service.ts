import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { SearchIndexService } from '../search-index/search-index.service.js';
import { Summary } from './entities/summary.entity.js';
import type { SummaryContent } from './summary-content.service.js';

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
    private readonly searchIndex: SearchIndexService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

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
