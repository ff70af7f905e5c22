import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request } from 'express';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { BODY_LIMITS } from '../../platform/http/bodies/body-limits.js';
import { jsonOf, readJsonBody, readTextBody, requireUtf8, textOf } from '../../platform/http/bodies/body.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import { SchemaError } from '../../platform/http/fields/schema-body.js';
import { readFile, typeAmong } from '../../platform/http/bodies/sent-file.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import { ContentService } from '../pipeline/content.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { Summary } from './entities/summary.entity.js';
import { SummariesService } from './summaries.service.js';
import { readSummary, type SummaryContent } from './dto/summary-content.dto.js';
import { SummaryHtmlService } from './summary-html.service.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const NOT_A_SUMMARY = `body: the file of the form must be ${MARKDOWN} or ${JSON_TYPE}, by its Content-Type or its name`;

/** Imports summaries that clients send. */
@Injectable()
export class SummaryImportService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly html: SummaryHtmlService,
    private readonly summaries: SummariesService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Replaces the summary. Callers without permission are refused before the body is read. */
  async import(
    caller: Caller,
    recordingId: string,
    precondition: Precondition,
    request: Request,
  ): Promise<Summary | null> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'summaries');
    return this.content.queueImport(caller.id, async () => {
      const summary = read(await bodyOf(request));
      const html = await this.html.render(caller.id, summary.content);
      await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
        await this.content.lock(manager, row.id);
        const existing = await manager.findOneBy(Summary, { recordingId: row.id });
        precondition.require(existing?.revision ?? 0);
        await this.summaries.replace(manager, row.id, summary, html);
      });
      return this.summaries.find(row.id);
    });
  }
}

function read(value: unknown): SummaryContent {
  try {
    const summary = readSummary(value, 'body');
    if (summary.content || summary.topics.length > 0) return summary;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new DomainError('VALIDATION_ERROR', error.message);
  }
  throw new DomainError('VALIDATION_ERROR', 'body: must have content, topics or both');
}

/** A Markdown body is the content alone. A whole reply of this service, with its `data`, is accepted too. */
async function bodyOf(request: Request): Promise<unknown> {
  const body = await sentBody(request);
  if (typeof body !== 'object' || body === null || !('data' in body)) return body;
  const { content, topics } = (body.data ?? {}) as { content?: unknown; topics?: unknown };
  return { content, topics };
}

async function sentBody(request: Request): Promise<unknown> {
  if (request.is('multipart/*')) return fileOfForm(request);
  if (request.is(MARKDOWN)) return { content: await readTextBody(request, request.res!) };
  return readJsonBody(request, request.res!);
}

async function fileOfForm(request: Request): Promise<unknown> {
  const { bytes, ...file } = await readFile(request, request.res!, BODY_LIMITS.json);
  const type = typeAmong([MARKDOWN, JSON_TYPE], file);
  if (type === null) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', NOT_A_SUMMARY);
  requireUtf8(file.contentType);
  return type === MARKDOWN ? { content: textOf(bytes) } : jsonOf(bytes);
}
