import {
  DecimalProperty,
  EnumProperty,
  IntegerProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import {
  ChunkPagination,
  presentSegment,
  Segment,
} from '../../transcripts/dto/transcript-page.response.dto.js';
import type { TranscriptPageContent } from '../../transcripts/transcripts.service.js';

export class SharedTranscript {
  @EnumProperty({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the transcript; segments are there when it is `completed`',
    example: 'completed',
  })
  status: ContentStatus;

  @IntegerProperty({ description: 'Goes up with every change; 0 before the first', example: 1 })
  revision: number;

  @TextProperty({ description: 'Language code; null before transcription', example: 'en', nullable: true })
  language: string | null;

  @StringListProperty({
    description: 'Speaker labels, in the order in which they first speak',
    example: ['Ada', 'Grace'],
  })
  speakers: string[];

  @DecimalProperty({ description: 'Seconds to the end of the last segment', example: 1834.2 })
  duration: number;

  @NestedProperty(() => [Segment], { description: 'Segments of the chunks on this page' })
  segments: Segment[];

  @NestedProperty(() => ChunkPagination, { description: 'Where this page lies in the transcript' })
  pagination: ChunkPagination;
}

export function presentSharedTranscript(page: TranscriptPageContent): SharedTranscript {
  return {
    status: page.status,
    revision: page.revision,
    language: page.language,
    speakers: page.speakers,
    duration: page.duration,
    segments: page.segments.map(presentSegment),
    pagination: { total_chunks: page.totalChunks, has_more: page.hasMore },
  };
}
