import type { StreamableFile } from '@nestjs/common';
import { sendTextFile, type TextFile } from '../../../platform/http/text-file.js';
import { Choice, Decimal, Nested, Text, Whole, Words } from '../../../platform/openapi/field.decorator.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import type { Summary } from '../entities/summary.entity.js';

export class SummaryPoint {
  @Text({ description: 'The point', example: 'The launch moves to 12 March' })
  point: string;

  @Decimal({
    description: 'Seconds from the start of the recording; null when not known',
    example: 645.2,
    nullable: true,
  })
  start: number | null;

  @Words({
    description: 'What was said about it',
    example: ['Ada (10:45): "The payment tests need another week."'],
  })
  details: string[];
}

export class SummarySection {
  @Text({ description: 'What the topic is', example: 'Launch date' })
  title: string;

  @Decimal({
    description: 'Seconds from the start of the recording; null when not known',
    example: 640.5,
    nullable: true,
  })
  start: number | null;

  @Nested(() => [SummaryPoint], { description: 'Key points of the topic' })
  keyPoints: SummaryPoint[];
}

export class RecordingSummary {
  @Choice({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the summary',
    example: 'completed',
  })
  status: ContentStatus;

  @Text({
    description: 'Why the last attempt at a summary failed, in words; null otherwise',
    example: null,
    nullable: true,
  })
  statusReason: string | null;

  @Whole({ description: 'Goes up with every change; 0 before the first. Also sent as `ETag`', example: 1 })
  revision: number;

  @Text({
    description: 'Markdown text; null when there is none',
    example: '## Decisions\n\n- Launch on 12 March',
    nullable: true,
  })
  content: string | null;

  @Nested(() => [SummarySection], { description: 'Topics with their key points' })
  topics: SummarySection[];
}

export function presentSummary(
  read: { readonly summary: Summary | null } | { readonly file: TextFile },
): Reply<RecordingSummary> | StreamableFile {
  return 'file' in read ? sendTextFile(read.file) : reply(presentRecordingSummary(read.summary));
}

export function presentRecordingSummary(summary: Summary | null): RecordingSummary {
  return {
    status: summary?.status ?? 'not_started',
    statusReason: summary?.statusReason ?? null,
    revision: summary?.revision ?? 0,
    ...presentContent(summary?.status === 'completed' ? summary : null),
  };
}

function presentContent(
  summary: Pick<Summary, 'content' | 'topics'> | null,
): Pick<RecordingSummary, 'content' | 'topics'> {
  return {
    content: summary?.content ?? null,
    topics: (summary?.topics ?? []).map(({ title, start, keyPoints }) => ({
      title,
      start: start ?? null,
      keyPoints: keyPoints.map(({ point, start: at, details }) => ({
        point,
        start: at ?? null,
        details: [...details],
      })),
    })),
  };
}
