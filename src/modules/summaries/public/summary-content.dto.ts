import { z } from '../../../lib/zod.js';
import { readBySchema } from '../../../platform/http/fields/schema-body.js';
import { DATE_RULE, isDate } from '../../../platform/clock/timestamps.js';
import { LIMITS } from '../../../contract/limits.js';
import { asLine, hasAtMost, isStorable } from '../../../lib/text.js';
import type {
  SummaryActionItem,
  SummaryDecision,
  SummaryTopic,
} from '../../../lib/extractive-summary/summary.js';
import { countText } from '../../../lib/amounts.js';

/** An action item that is new, or that takes the place of the one with its id. */
export interface GivenActionItem extends SummaryActionItem {
  readonly id?: string;
  readonly done?: boolean;
  /** If it is not given, what the words of `due` mean. */
  readonly dueDate?: string | null | undefined;
}

export interface SummaryContent {
  /** Markdown. */
  readonly content: string | null;
  readonly topics: readonly SummaryTopic[];
  readonly decisions: readonly SummaryDecision[];
  /** Null if nothing is said about them: those that people changed stay. */
  readonly actionItems: readonly GivenActionItem[] | null;
}

const text = (max: number) =>
  z.string({ error: 'must be text' }).refine((value) => isStorable(value) && hasAtMost(max, value), {
    error: `must be text of at most ${countText(max)} characters, without NUL characters`,
  });

const list = <T extends z.ZodType>(item: T, max: number) =>
  z
    .array(item, { error: 'must be a list' })
    .max(max, { error: `must contain at most ${countText(max)} items` });

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

const NOT_A_SEGMENT = 'must be the id of a segment, an integer of at least 0';

const segmentId = z
  .int({ error: NOT_A_SEGMENT })
  .min(0, { error: NOT_A_SEGMENT })
  .max(2 ** 31 - 1, { error: NOT_A_SEGMENT });

const NOT_A_PROBABILITY = 'must be a number from 0 to 1';

const confidence = z
  .number({ error: NOT_A_PROBABILITY })
  .min(0, { error: NOT_A_PROBABILITY })
  .max(1, { error: NOT_A_PROBABILITY })
  .meta({ description: 'As a summary had it; null or missing for what people write' });

const decision = z.strictObject({
  text: text(LIMITS.finding.max).refine((value) => value.trim() !== '', { error: 'must not be empty' }),
  start: start.nullish(),
  segmentIds: list(segmentId, LIMITS.citedSegments).default([]),
  confidence: confidence.nullish(),
});

const detail = text(LIMITS.actionItemDetail.max)
  .nullish()
  .transform((value) => asLine(value ?? '') || null);

const actionItem = decision.extend({
  id: z
    .string({ error: 'must be the id of an action item' })
    .meta({ description: 'Of an action item that the summary has: it keeps its id. Others get a new one' })
    .optional(),
  owner: detail,
  due: detail,
  dueDate: z
    .string({ error: DATE_RULE })
    .refine(isDate, { error: DATE_RULE })
    .meta({ description: 'If it is missing, it follows from `due`, where that is clear' })
    .nullish(),
  done: z.boolean({ error: 'must be true or false' }).default(false),
});

/** Characters that a title, point or detail counts in addition to its text. */
const FRAME = 20;

const lengthOf = ({ title, keyPoints }: SummaryTopic): number =>
  keyPoints
    .flatMap(({ point, details }) => [point, ...details])
    .reduce((sum, item) => sum + item.length + FRAME, title.length + FRAME);

export function topicsThatFit(topics: readonly SummaryTopic[]): readonly SummaryTopic[] {
  let room: number = LIMITS.summaryTopics;
  const end = topics.findIndex((one) => (room -= lengthOf(one)) < 0);
  return end < 0 ? topics : topics.slice(0, end);
}

/** A summary as a client sends it. */
export const SUMMARY_SCHEMA = z.strictObject({
  content: text(LIMITS.summaryContent.max).nullish(),
  topics: list(topic, LIMITS.topics)
    .default([])
    .refine((topics) => topicsThatFit(topics).length === topics.length, {
      error: `must have at most ${countText(LIMITS.summaryTopics)} characters in all, counting ${FRAME} more for each title, point and detail`,
    }),
  decisions: list(decision, LIMITS.decisions).default([]),
  actionItems: list(actionItem, LIMITS.actionItems)
    .meta({ description: 'Replaces all action items; without it, those that people changed stay' })
    .nullish(),
});

/**
 * Reads a summary, of a request or a workspace file. Throws `SchemaError` with every error and its path; `root` names
 * the value itself.
 */
export function readSummary(value: unknown, root: string): SummaryContent {
  const { content, actionItems, ...others } = readBySchema(SUMMARY_SCHEMA, value, root);
  return { ...others, content: content ?? null, actionItems: actionItems ?? null };
}
