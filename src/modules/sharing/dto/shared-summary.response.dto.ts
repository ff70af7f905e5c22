import { EnumProperty, NestedProperty, TextProperty } from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import { presentTopics, Topic } from '../../summaries/dto/topic.response.dto.js';
import type { SharedContent } from '../visits/share-content.service.js';

export class SharedSummary {
  @EnumProperty({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the summary; there is content when it is `completed`',
    example: 'completed',
  })
  status: ContentStatus;

  @TextProperty({
    description: 'Markdown text; null when there is none',
    example: '## Decisions\n\n- Launch on 12 March',
    nullable: true,
  })
  content: string | null;

  @NestedProperty(() => [Topic], { description: 'Topics with their key points' })
  topics: Topic[];
}

export function presentSharedSummary(summary: SharedContent['summary']): SharedSummary {
  const status = summary?.status ?? 'not_started';
  if (!summary || status !== 'completed') return { status, content: null, topics: [] };
  return { status, content: summary.content, topics: presentTopics(summary.topics) };
}
