import type { StreamableFile } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { JsonText } from '../../../platform/http/replies/json-text.js';
import { sendTextFile, type TextFile } from '../../../platform/http/replies/text-file.js';
import {
  EnumProperty,
  DecimalProperty,
  BooleanProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
  StringListProperty,
} from '../../../platform/openapi/field.decorator.js';
import { SHOWN_STATUSES, type ShownStatus } from '../../../policy/recording-status.js';
import type { TranscriptPageText } from './transcript-page.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';

@ApiSchema({ name: 'TranscriptSegment' })
export class Segment {
  @IntegerProperty('Id of the segment in the transcript: 0, 1, 2, ...', { example: 0 })
  id: number;

  @DecimalProperty('Start, in seconds from the beginning of the recording', { example: 12.4 })
  start: number;

  @DecimalProperty('End, in seconds from the beginning of the recording', { example: 15.9 })
  end: number;

  @TextProperty('What was said', { example: 'Good morning, shall we start?' })
  text: string;

  @TextProperty('Speaker label; empty if not known', { example: 'Ada' })
  speaker: string;

  @DecimalProperty('Confidence of the transcription, 0 to 1', { maximum: 1, example: 0.97 })
  confidence: number;

  @BooleanProperty(
    'Always true: it is no speech, but a sound, a mark of the recognizer, or what recognizers write where nobody speaks, which summaries and answers leave out. Absent for speech',
    { optional: true, example: true },
  )
  noise?: boolean;
}

export class TranscriptPagination {
  @IntegerProperty('Number of chunks in the whole transcript', { example: 11 })
  total_chunks: number;

  @BooleanProperty('Whether there are more chunks after this page', { example: false })
  has_more: boolean;
}

export class TranscriptPage {
  @EnumProperty(
    'Status of the transcript; there are segments when it is `completed` and, as far as they have been transcribed, while it is `processing`',
    { values: SHOWN_STATUSES, name: 'ContentStatus', example: 'completed' },
  )
  status: ShownStatus;

  @TextProperty('Why the last transcription failed or has no segments; null otherwise', {
    example: null,
    nullable: true,
  })
  statusReason: string | null;

  @IntegerProperty(
    'Increases with every change; 0 before the first. Operations on the transcript also send it as `ETag`',
    { example: 1 },
  )
  revision: number;

  @TextProperty('Language code; null if not known', { example: 'en', nullable: true })
  language: string | null;

  @BooleanProperty('Whether the `confidence` of segments is known; otherwise it is always 1', {
    example: true,
  })
  confidenceKnown: boolean;

  @StringListProperty('Speaker labels, in order of first appearance', { example: ['Ada', 'Grace'] })
  speakers: string[];

  @DecimalProperty('Seconds to the end of the last segment', { example: 1834.2 })
  duration: number;

  @NestedProperty(() => [Segment], 'Segments of the chunks on this page')
  segments: Segment[];

  @NestedProperty(() => TranscriptPagination, 'Whether more chunks follow, and how many there are')
  pagination: TranscriptPagination;
}

export function presentTranscript(
  read: { readonly page: TranscriptPageText } | { readonly file: TextFile },
): JsonText | StreamableFile {
  return 'file' in read ? sendTextFile(read.file) : presentTranscriptPage(read.page);
}

/** A `TranscriptPage` in its envelope; the segments are JSON text already. */
function presentTranscriptPage({
  totalChunks,
  hasMore,
  segmentsJson,
  ...head
}: TranscriptPageText): JsonText {
  const pagination: TranscriptPagination = { total_chunks: totalChunks, has_more: hasMore };
  const fields = JSON.stringify(head).slice(0, -1);
  const [begin, end] = [`{"data":${fields},"segments":`, `,"pagination":${JSON.stringify(pagination)}}}`];
  // More segments are no new revision, and `If-None-Match` must not hide them.
  const revision = head.status === 'processing' ? undefined : head.revision;
  return new JsonText([begin, segmentsJson, end], revision);
}

export function presentSegment(segment: TranscriptSegment): Segment {
  const { id, start, end, text, speaker, confidence, noise } = segment;
  return { id, start, end, text, speaker, confidence, ...(noise && { noise }) };
}
