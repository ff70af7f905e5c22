import type { StreamableFile } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { sendTextFile, type TextFile } from '../../../platform/http/replies/text-file.js';
import {
  BooleanProperty,
  DateProperty,
  DecimalProperty,
  IdProperty,
  IntegerListProperty,
  IntegerProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import type { ShownStatus } from '../../../policy/recording-status.js';
import { ContentStatusProperty } from '../../recordings/access/public/recording-fields.response.dto.js';
import type { WholeSummary } from '../entities/summary.entity.js';
import type { SummaryDecision, SummaryTopic } from '../../../lib/extractive-summary/summary.js';

const MomentProperty = (example: number): PropertyDecorator =>
  DecimalProperty('Seconds from the beginning of the recording; null if not known', {
    example,
    nullable: true,
  });

class KeyPoint {
  @TextProperty('The key point', { example: 'The launch moves to 12 March' })
  point: string;

  @MomentProperty(645.2)
  start: number | null;

  @StringListProperty('What was said about it', {
    example: ['Ada (10:45): "The payment tests need another week."'],
  })
  details: string[];
}

export class Topic {
  @TextProperty('Title of the topic', { example: 'Launch date' })
  title: string;

  @MomentProperty(640.5)
  start: number | null;

  @NestedProperty(() => [KeyPoint], 'Key points of the topic')
  keyPoints: KeyPoint[];
}

class Cited {
  @MomentProperty(645.2)
  start: number | null;

  @IntegerListProperty('Ids of the segments of the transcript that it rests on', { example: [41, 42] })
  segmentIds: number[];

  @DecimalProperty(
    'Estimate of the built-in summarizer, 0 to 1: how probable it is that people who were there would note this; null if people or a chat server wrote it, the meeting is shorter than ten minutes or not in English, or people have changed it',
    { maximum: 1, example: 0.72, nullable: true },
  )
  confidence: number | null;
}

export class Decision extends Cited {
  @TextProperty('What was decided', { example: 'The launch moves to 12 March' })
  text: string;
}

export class ActionItem extends Cited {
  @IdProperty('Identifier of the action item; a later summary that has it, too, keeps it')
  id: string;

  @TextProperty('What is to be done', { example: 'I will test the backup of the cluster by Thursday.' })
  text: string;

  @TextProperty('Who is to do it; null if nobody is named', { example: 'Grace', nullable: true })
  owner: string | null;

  @TextProperty('When it is due, in the words of the meeting; null if that was not said', {
    example: 'by Thursday',
    nullable: true,
  })
  due: string | null;

  @DateProperty('The day that these words mean, at a meeting of that day (UTC); null if that is not clear', {
    example: '2026-02-12',
    nullable: true,
  })
  dueDate: string | null;

  @BooleanProperty('Whether it has been done', { example: false })
  done: boolean;
}

@ApiSchema({ name: 'Summary' })
export class SummaryResponse {
  @ContentStatusProperty('Status of the summary')
  status: ShownStatus;

  @TextProperty('Why the last attempt to generate a summary failed; null otherwise', {
    example: null,
    nullable: true,
  })
  statusReason: string | null;

  @IntegerProperty('Increases with every change; 0 before the first. Also sent as `ETag`', { example: 1 })
  revision: number;

  @TextProperty('The summary in Markdown; null if there is none or it is withheld', {
    example: '## Decisions\n\n- Launch on 12 March',
    nullable: true,
  })
  content: string | null;

  @NestedProperty(() => [Topic], 'Topics with their key points')
  topics: Topic[];

  @NestedProperty(() => [Decision], 'What was decided, in the order of the meeting')
  decisions: Decision[];

  @NestedProperty(() => [ActionItem], 'What people are to do, in the order of the meeting')
  actionItems: ActionItem[];
}

export class StartedSummary {
  @ContentStatusProperty('Status of the summary; becomes `completed` or `failed`', 'processing')
  status: ShownStatus;
}

export const SUMMARY_STARTED: StartedSummary = { status: 'processing' };

/** A summary; null if there is none, with what its status then is. */
export interface ReadableSummary {
  readonly summary: WholeSummary | null;
  readonly missingSummary: ShownStatus;
}

export function presentSummary(
  read: ReadableSummary | { readonly file: TextFile },
): Reply<SummaryResponse> | StreamableFile {
  return 'file' in read
    ? sendTextFile(read.file)
    : reply(presentRecordingSummary(read.summary, read.missingSummary));
}

export function presentRecordingSummary(
  summary: WholeSummary | null,
  missing: ShownStatus = 'not_started',
): SummaryResponse {
  const completed = summary?.status === 'completed' ? summary : null;
  return {
    status: summary?.status ?? missing,
    statusReason: summary?.statusReason ?? null,
    revision: summary?.revision ?? 0,
    ...presentSummaryContent(completed),
  };
}

/** What a summary consists of. */
export interface ReadSummary {
  readonly content: string | null;
  readonly topics: readonly SummaryTopic[];
  readonly decisions: readonly SummaryDecision[];
  readonly actionItems: readonly ActionItem[];
}

/** The content of a completed summary; without one, the empty content. */
export function presentSummaryContent(
  completed: ReadSummary | null,
): Pick<SummaryResponse, 'content' | 'topics' | 'decisions' | 'actionItems'> {
  return {
    content: completed?.content ?? null,
    topics: presentTopics(completed?.topics ?? []),
    decisions: presentDecisions(completed?.decisions ?? []),
    actionItems: (completed?.actionItems ?? []).map(presentActionItem),
  };
}

export function presentDecisions(decisions: readonly SummaryDecision[]): Decision[] {
  return decisions.map(({ text, start, segmentIds, confidence }) => ({
    text,
    start: start ?? null,
    segmentIds: [...segmentIds],
    confidence: confidence ?? null,
  }));
}

export function presentActionItem(item: ActionItem): ActionItem {
  const { id, text, owner, due, dueDate = null, start, segmentIds, confidence = null, done } = item;
  return { id, text, owner, due, dueDate, start, segmentIds, confidence, done };
}

export function presentTopics(topics: readonly SummaryTopic[]): Topic[] {
  return topics.map(({ title, start, keyPoints }) => ({
    title,
    start: start ?? null,
    keyPoints: keyPoints.map(({ point, start: at, details }) => ({
      point,
      start: at ?? null,
      details: [...details],
    })),
  }));
}
