import { Decimal, Nested, Text, Words } from '../../../platform/openapi/field.decorator.js';
import type { SummaryTopic } from '../entities/summary.entity.js';

export class KeyPoint {
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

export class Topic {
  @Text({ description: 'What the topic is', example: 'Launch date' })
  title: string;

  @Decimal({
    description: 'Seconds from the start of the recording; null when not known',
    example: 640.5,
    nullable: true,
  })
  start: number | null;

  @Nested(() => [KeyPoint], { description: 'Key points of the topic' })
  keyPoints: KeyPoint[];
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
