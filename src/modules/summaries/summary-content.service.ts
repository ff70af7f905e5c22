import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { readBySchema } from '../../platform/http/schema-body.js';
import { LIMITS } from '../../platform/limits.js';
import { codePointLength, isStorable } from '../../platform/text.js';
import type { SummaryTopic } from './entities/summary.entity.js';

export interface SummaryContent {
  /** Markdown. */
  readonly content: string | null;
  readonly topics: SummaryTopic[];
}

const text = (max: number) =>
  z.string({ error: 'must be text' }).refine((value) => isStorable(value) && codePointLength(value) <= max, {
    error: `must be text of at most ${max} characters, without NUL`,
  });

const list = <T extends z.ZodType>(item: T, max: number) =>
  z.array(item, { error: 'must be a list' }).max(max, { error: `must hold at most ${max}` });

const start = z
  .number({ error: 'must be seconds, 0 or more' })
  .min(0, { error: 'must be seconds, 0 or more' });

const keyPoint = z.strictObject({
  point: text(LIMITS.summaryText.max),
  start: start.nullish(),
  details: list(text(LIMITS.summaryText.max), LIMITS.details).default([]),
});

const topic = z.strictObject({
  title: text(LIMITS.topicTitle.max),
  start: start.nullish(),
  keyPoints: list(keyPoint, LIMITS.keyPoints).default([]),
});

/** A summary as it comes in. */
export const SUMMARY_SCHEMA = z.strictObject({
  content: text(LIMITS.summaryContent.max).nullish(),
  topics: list(topic, LIMITS.topics).default([]),
});

/** The one reader of summaries: of requests and of workspace files. */
@Injectable()
export class SummaryContentService {
  /** Throws `SchemaError` with every mistake and its place; `root` names the value itself. */
  read(value: unknown, root: string): SummaryContent {
    const { content, topics } = readBySchema(SUMMARY_SCHEMA, value, root);
    return { content: content ?? null, topics };
  }
}
