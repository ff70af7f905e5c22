import {
  Choice,
  Decimal,
  Flag,
  Nested,
  Text,
  Whole,
  Words,
} from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import type { TranscriptPageContent } from '../../transcripts/transcripts.service.js';

export class SharedSegment {
  @Whole({ description: 'Number of the segment: 0, 1, 2, ...', example: 0 })
  id: number;

  @Decimal({ description: 'Seconds from the start of the recording', example: 12.4 })
  start: number;

  @Decimal({ description: 'Seconds from the start of the recording', example: 15.9 })
  end: number;

  @Text({ description: 'What was said', example: 'Good morning, shall we start?' })
  text: string;

  @Text({ description: 'Label of the speaker; empty when not known', example: 'Ada' })
  speaker: string;

  @Decimal({ description: 'How sure the transcription is, 0 to 1', maximum: 1, example: 0.97 })
  confidence: number;
}

export class SharedPagination {
  @Whole({ description: 'Chunks of the whole transcript', example: 11 })
  total_chunks: number;

  @Flag({ description: 'Whether more chunks follow after this page', example: false })
  has_more: boolean;
}

export class SharedTranscript {
  @Choice({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the transcript; segments are there when it is `completed`',
    example: 'completed',
  })
  status: ContentStatus;

  @Whole({ description: 'Goes up with every change; 0 before the first', example: 1 })
  revision: number;

  @Text({ description: 'Language code; null before transcription', example: 'en', nullable: true })
  language: string | null;

  @Words({ description: 'Speaker labels, in the order in which they first speak', example: ['Ada', 'Grace'] })
  speakers: string[];

  @Decimal({ description: 'Seconds to the end of the last segment', example: 1834.2 })
  duration: number;

  @Nested(() => [SharedSegment], { description: 'Segments of the chunks on this page' })
  segments: SharedSegment[];

  @Nested(() => SharedPagination, { description: 'Where this page lies in the transcript' })
  pagination: SharedPagination;
}

export function presentSharedTranscript(page: TranscriptPageContent): SharedTranscript {
  return {
    status: page.status,
    revision: page.revision,
    language: page.language,
    speakers: page.speakers,
    duration: page.duration,
    segments: page.segments.map(({ id, start, end, text, speaker, confidence }) => ({
      id,
      start,
      end,
      text,
      speaker,
      confidence,
    })),
    pagination: { total_chunks: page.totalChunks, has_more: page.hasMore },
  };
}
