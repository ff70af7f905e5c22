import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import { DataSource, type EntityManager, IsNull, Not, type Repository } from 'typeorm';
import { conflict } from '../../contract/domain-error.js';
import { fileNameOf } from '../../contract/file-name.js';
import { Clock } from '../../platform/clock/clock.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import type { TextFile } from '../../platform/http/replies/text-file.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import type { ThreadTask } from '../../platform/work/thread-task.js';
import { WorkLimitError, WorkPool } from '../../platform/work/work-pool.service.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import { ContentService } from '../pipeline/content.service.js';
import { PipelineService } from '../pipeline/pipeline.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { mergeActionItemsOf } from './action-items/action-items.queries.js';
import { SUMMARY_FILES, type SummaryFormat } from './dto/summaries.dto.js';
import { SummaryRevision } from './entities/summary-revision.entity.js';
import { Summary, type WholeSummary } from './entities/summary.entity.js';
import type { SummaryContent } from './public/summary-content.dto.js';
import { summaryMarkdown } from './public/summary-markdown.js';
import {
  presentDecisions,
  presentRecordingSummary,
  type ReadableSummary,
} from './public/summary.response.dto.js';
import { disownActionItems, writeSummary, type SummaryOrigin } from './summaries.queries.js';
import { readSentSummary } from './summary-body.js';
import { explainTranscription } from '../../policy/advice.js';

/** Seconds for rendering a summary. */
/** Not imported: only threads need what it loads. */
const SAFE_HTML: ThreadTask<string, string | null> = {
  module: new URL('./public/safe-html.task.js', import.meta.url).href,
};
const SECONDS = 30;
/** Stored if the content cannot be rendered. */
const AS_TEXT = '';

/** Reads and writes stored summaries. */
@Injectable()
export class SummariesService {
  constructor(
    @InjectRepository(Summary) private readonly summaries: Repository<Summary>,
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly pipeline: PipelineService,
    private readonly searchIndex: SearchIndexService,
    private readonly pool: WorkPool,
    private readonly logger: AppLogger,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** The summary with its status or, with a format, as a file. */
  async read(
    caller: Caller,
    recordingId: string,
    format: SummaryFormat | null,
  ): Promise<ReadableSummary | { file: TextFile }> {
    const { row, access } = await this.access.requireFeature(caller, recordingId, 'summaries');
    const summary = await this.find(row.id);
    const { missingSummary } = access;
    if (!format) return { summary, missingSummary };
    if (summary?.status !== 'completed') {
      const status = summary?.status ?? missingSummary;
      throw conflict(
        `The summary is ${status}. It can be downloaded once it is completed${status === 'processing' || status === 'queued' ? '' : '; POST /api/v1/recordings/{id}/summary generates one'}.`,
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
    const { row, access } = await this.access.requireFeatureEdit(caller, recordingId, 'summaries');
    const { transcription } = access;
    if (transcription !== 'completed') {
      throw conflict(explainTranscription(transcription, 'A summary needs'));
    }
    const owner = { userId: caller.id, organizationId: row.organizationId };
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      if (await this.pipeline.summarize(manager, { recordingId: row.id, owner })) return;
      throw conflict('A summary is already being generated.');
    });
  }

  /** Null if there is none yet. */
  async find(recordingId: string, manager?: EntityManager): Promise<WholeSummary | null> {
    const summaries = manager?.getRepository(Summary) ?? this.summaries;
    return summaries.findOne({
      where: { recordingId },
      relations: { actionItems: true },
      order: { actionItems: { position: 'ASC' } },
    }) as Promise<WholeSummary | null>;
  }

  async has(manager: EntityManager, recordingId: string, given: SummaryContent): Promise<boolean> {
    const found = await this.find(recordingId, manager);
    if (!found) return false;
    const own = {
      ...found,
      actionItems:
        given.actionItems &&
        found.actionItems.map((item, at) =>
          given.actionItems![at]?.dueDate === undefined ? { ...item, dueDate: undefined } : item,
        ),
    };
    return JSON.stringify(comparable(own)) === JSON.stringify(comparable(given));
  }

  /**
   * Replaces the summary by one that a client sends. Callers without permission are refused before the body is read.
   */
  async import(
    caller: Caller,
    recordingId: string,
    precondition: Precondition,
    request: Request,
  ): Promise<WholeSummary | null> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'summaries');
    return this.content.queueImport(caller.id, async () => {
      const summary = await readSentSummary(request);
      const html = await this.renderHtml(caller.id, summary.content);
      const change = { type: Summary, recordingId: row.id, condition: precondition };
      await this.content.change(caller, change, (manager) =>
        this.replace(manager, row.id, summary, html, { cause: 'import', userId: caller.id }),
      );
      return this.find(row.id);
    });
  }

  /**
   * Replaces the summary, in the transaction of `manager`, which must hold the lock on the recording, and keeps it as a
   * revision. A current attempt is superseded. `html` is the content as `renderHtml` returns it.
   */
  async replace(
    manager: EntityManager,
    recordingId: string,
    summary: SummaryContent,
    html: string | null,
    origin: SummaryOrigin,
  ): Promise<void> {
    await writeSummary(manager, recordingId, summary, html, origin, this.clock.now());
    const { actionItems } = summary;
    const replaces = origin.cause === 'import' && actionItems !== null;
    await mergeActionItemsOf(manager, recordingId, actionItems ?? [], { replaces });
    await this.searchIndex.refresh(manager, recordingId, { texts: true });
  }

  /**
   * Takes action items from owners whose names are given in lower case, and removes earlier revisions, in the transaction
   * of `manager`, which must hold the lock on the recording. Returns how many action items there were.
   */
  async eraseOwners(manager: EntityManager, recordingId: string, names: readonly string[]): Promise<number> {
    const items = await disownActionItems(manager, recordingId, names);
    // Of the current one, the content is in the summary.
    await manager.delete(SummaryRevision, { recordingId, topics: Not(IsNull()) });
    if (items > 0) {
      await manager.increment(Summary, { recordingId }, 'revision', 1);
      await this.searchIndex.refresh(manager, recordingId, { texts: true });
    }
    return items;
  }

  /**
   * Renders the content as HTML for share pages: once, to be stored with the summary; empty if it would be too large or
   * take too long. `caller` is whose share of the threads it counts towards.
   */
  async renderHtml(caller: string, content: string | null): Promise<string> {
    if (!content) return AS_TEXT;
    try {
      return (await this.pool.run(SAFE_HTML, content, { caller, seconds: SECONDS })) ?? AS_TEXT;
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error;
      this.logger.warn({ caller, err: error }, 'could not render a summary; it is shown as text');
      return AS_TEXT;
    }
  }
}

/** What two summaries are compared by; action items only if they are given, and without what is new or known. */
function comparable({ content, topics, decisions, actionItems }: SummaryContent): readonly unknown[] {
  const details = actionItems?.map(({ owner, due, dueDate, done = false }) => [owner, due, dueDate, done]);
  return [content, topics, presentDecisions(decisions), presentDecisions(actionItems ?? []), details];
}
