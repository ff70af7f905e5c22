import type { StreamableFile } from '@nestjs/common';
import { JsonText } from '../../../platform/http/json-text.js';
import { sendTextFile, type TextFile } from '../../../platform/http/text-file.js';
import {
  EnumProperty,
  DecimalProperty,
  BooleanProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
  StringListProperty,
} from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import type { TranscriptSegment } from '../entities/transcript-chunk.entity.js';
import type { TranscriptPageText } from '../transcripts.service.js';

export class Segment {
  @IntegerProperty({ description: 'Number of the segment: 0, 1, 2, ...', example: 0 })
  id: number;

  @DecimalProperty({ description: 'Seconds from the start of the recording', example: 12.4 })
  start: number;

  @DecimalProperty({ description: 'Seconds from the start of the recording', example: 15.9 })
  end: number;

  @TextProperty({ description: 'What was said', example: 'Good morning, shall we start?' })
  text: string;

  @TextProperty({ description: 'Label of the speaker; empty when not known', example: 'Ada' })
  speaker: string;

  @DecimalProperty({ description: 'How sure the transcription is, 0 to 1', maximum: 1, example: 0.97 })
  confidence: number;
}

export class ChunkPagination {
  @IntegerProperty({ description: 'Chunks of the whole transcript', example: 11 })
  total_chunks: number;

  @BooleanProperty({ description: 'Whether more chunks follow after this page', example: false })
  has_more: boolean;
}

export class TranscriptPage {
  @EnumProperty({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the transcript; segments are there when it is `completed`',
    example: 'completed',
  })
  status: ContentStatus;

  @TextProperty({
    description: 'Why the last transcription failed, in words; null otherwise',
    example: null,
    nullable: true,
  })
  statusReason: string | null;

  @IntegerProperty({
    description:
      'Goes up with every change; 0 before the first. Operations on the transcript send it as `ETag`',
    example: 1,
  })
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

export function presentTranscript(
  read: { readonly page: TranscriptPageText } | { readonly file: TextFile },
): JsonText | StreamableFile {
  return 'file' in read ? sendTextFile(read.file) : presentTranscriptPage(read.page);
}

/** A `TranscriptPage` in its envelope, written around the segments. */
function presentTranscriptPage(page: TranscriptPageText): JsonText {
  const { status, statusReason, revision, language, speakers, duration } = page;
  const head: Omit<TranscriptPage, 'segments' | 'pagination'> = {
    status,
    statusReason,
    revision,
    language,
    speakers,
    duration,
  };
  const pagination: ChunkPagination = { total_chunks: page.totalChunks, has_more: page.hasMore };
  const fields = JSON.stringify(head).slice(0, -1);
  const [begin, end] = [`{"data":${fields},"segments":`, `,"pagination":${JSON.stringify(pagination)}}}`];
  return new JsonText([begin, ...page.segmentsJson, end], revision);
}

export function presentSegment({ id, start, end, text, speaker, confidence }: TranscriptSegment): Segment {
  return { id, start, end, text, speaker, confidence };
}
