import {
  DecimalProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { SummaryTopic } from '../entities/summary.entity.js';

export class KeyPoint {
  @TextProperty({ description: 'The key point', example: 'The launch moves to 12 March' })
  point: string;

  @DecimalProperty({
    description: 'Seconds from the beginning of the recording; null if not known',
    example: 645.2,
    nullable: true,
  })
  start: number | null;

  @StringListProperty({
    description: 'What was said about it',
    example: ['Ada (10:45): "The payment tests need another week."'],
  })
  details: string[];
}

export class Topic {
  @TextProperty({ description: 'Title of the topic', example: 'Launch date' })
  title: string;

  @DecimalProperty({
    description: 'Seconds from the beginning of the recording; null if not known',
    example: 640.5,
    nullable: true,
  })
  start: number | null;

  @NestedProperty(() => [KeyPoint], { description: 'Key points of the topic' })
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
