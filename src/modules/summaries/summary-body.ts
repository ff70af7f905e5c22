import type { Request } from 'express';
import { DomainError, invalid } from '../../contract/domain-error.js';
import { BODY_LIMITS } from '../../platform/http-limits.js';
import { jsonOf, readJsonBody, readTextBody, requireUtf8, textOf } from '../../platform/http/bodies/body.js';
import { SchemaError } from '../../platform/http/fields/schema-body.js';
import { readFile, typeAmong } from '../../platform/http/bodies/sent-file.js';
import { readSummary, type SummaryContent } from './public/summary-content.dto.js';

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const NOT_A_SUMMARY = `body: the file of the form must be ${MARKDOWN} or ${JSON_TYPE}, by its Content-Type or its name`;

/**
 * Reads the summary that a request sends, as JSON, as Markdown or as a file of either type. A Markdown body is the
 * content alone. A whole reply of this service, with its `data`, is accepted too.
 */
export async function readSentSummary(request: Request): Promise<SummaryContent> {
  const body = await sentBody(request);
  try {
    const summary = readSummary(unwrapped(body), 'body');
    if (
      summary.content ||
      [summary.topics, summary.decisions, summary.actionItems].some((list) => list?.length)
    )
      return summary;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw invalid(error.message);
  }
  throw invalid('body: must have content, topics, decisions or actionItems');
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

function unwrapped(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('data' in body)) return body;
  const { content, topics, decisions, actionItems } = (body.data ?? {}) as Readonly<Record<string, unknown>>;
  return { content, topics, decisions, actionItems };
}
