import { Choice, Decimal, Nested, Text, Words } from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import type { SharedContent } from '../visits/share-content.service.js';

export class SharedPoint {
  @Text({ description: 'The point', example: 'The launch moves to 12 March' })
  point: string;

  @Decimal({
    description: 'Seconds from the start of the recording; null when not known',
    example: 645.2,
    nullable: true,
  })
  start: number | null;

  @Words({ description: 'What was said about it', example: ['The payment tests need another week'] })
  details: string[];
}

export class SharedTopic {
  @Text({ description: 'What the topic is', example: 'Launch date' })
  title: string;

  @Decimal({
    description: 'Seconds from the start of the recording; null when not known',
    example: 640.5,
    nullable: true,
  })
  start: number | null;

  @Nested(() => [SharedPoint], { description: 'Key points of the topic' })
  keyPoints: SharedPoint[];
}

export class SharedSummary {
  @Choice({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the summary; there is content when it is `completed`',
    example: 'completed',
  })
  status: ContentStatus;

  @Text({
    description: 'Markdown text; null when there is none',
    example: '## Decisions\n\n- Launch on 12 March',
    nullable: true,
  })
  content: string | null;

  @Nested(() => [SharedTopic], { description: 'Topics with their key points' })
  topics: SharedTopic[];
}

export function presentSharedSummary(summary: SharedContent['summary']): SharedSummary {
  const status = summary?.status ?? 'not_started';
  if (!summary || status !== 'completed') return { status, content: null, topics: [] };
  return {
    status,
    content: summary.content,
    topics: summary.topics.map(({ title, start, keyPoints }) => ({
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
