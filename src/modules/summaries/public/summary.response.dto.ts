import type { StreamableFile } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { sendTextFile, type TextFile } from '../../../platform/http/replies/text-file.js';
import {
  DecimalProperty,
  EnumProperty,
  IntegerProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import type { Summary } from '../entities/summary.entity.js';
import type { SummaryTopic } from '../../../lib/extractive-summary/summary.js';

export class KeyPoint {
  @TextProperty('The key point', { example: 'The launch moves to 12 March' })
  point: string;

  @DecimalProperty('Seconds from the beginning of the recording; null if not known', {
    example: 645.2,
    nullable: true,
  })
  start: number | null;

  @StringListProperty('What was said about it', {
    example: ['Ada (10:45): "The payment tests need another week."'],
  })
  details: string[];
}

export class Topic {
  @TextProperty('Title of the topic', { example: 'Launch date' })
  title: string;

  @DecimalProperty('Seconds from the beginning of the recording; null if not known', {
    example: 640.5,
    nullable: true,
  })
  start: number | null;

  @NestedProperty(() => [KeyPoint], 'Key points of the topic')
  keyPoints: KeyPoint[];
}

@ApiSchema({ name: 'Summary' })
export class SummaryResponse {
  @EnumProperty('Status of the summary', {
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    example: 'completed',
  })
  status: ContentStatus;

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
}

export class StartedSummary {
  @EnumProperty('Status of the summary; becomes `completed` or `failed`', {
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    example: 'processing',
  })
  status: ContentStatus;
}

export const SUMMARY_STARTED: StartedSummary = { status: 'processing' };

export function presentSummary(
  read: { readonly summary: Summary | null } | { readonly file: TextFile },
): Reply<SummaryResponse> | StreamableFile {
  return 'file' in read ? sendTextFile(read.file) : reply(presentRecordingSummary(read.summary));
}

export function presentRecordingSummary(summary: Summary | null): SummaryResponse {
  const completed = summary?.status === 'completed' ? summary : null;
  return {
    status: summary?.status ?? 'not_started',
    statusReason: summary?.statusReason ?? null,
    revision: summary?.revision ?? 0,
    content: completed?.content ?? null,
    topics: presentTopics(completed?.topics ?? []),
  };
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
