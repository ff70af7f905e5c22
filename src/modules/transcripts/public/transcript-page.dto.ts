import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { LIMITS, SEGMENTS_PER_CHUNK } from '../../../contract/limits.js';
import {
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from '../../../lib/transcript-formats/written-formats.js';
import type { StreamableFile } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { JsonText } from '../../../platform/http/replies/json-text.js';
import { sendTextFile, type TextFile } from '../../../platform/http/replies/text-file.js';
import {
  DecimalProperty,
  BooleanProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
  StringListProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { ShownStatus } from '../../../policy/recording-status.js';
import { ContentStatusProperty } from '../../recordings/access/public/recording-fields.response.dto.js';
import { STATISTICS_LIMITS } from '../../../lib/transcript-formats/speaker-statistics.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';
import type { OpenRecording } from '../../recordings/access/recording-access.service.js';
import { chunksOfSegments } from '../stored-transcript.js';

const { speakers, pause, moment, overlap } = STATISTICS_LIMITS;

export class TranscriptPageDto {
  @IntegerParameter('Index of the first chunk; cannot be combined with `format`', {
    min: 0,
    default: 0,
    example: 0,
  })
  start_chunk: number = 0;

  @IntegerParameter(
    `Chunks per page; a chunk is ${SEGMENTS_PER_CHUNK} consecutive segments. Cannot be combined with \`format\``,
    { ...LIMITS.transcriptChunks, example: 50 },
  )
  limit: number = LIMITS.transcriptChunks.default;

  @ChoiceField(
    'Returns the whole transcript as a file instead of a page; an `Accept` header with a media type does the same',
    { values: TRANSCRIPT_FORMATS, name: 'TranscriptFormat', optional: true, example: 'vtt' },
  )
  format?: TranscriptFormat;
}

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
    'Always true: it is not speech, but a sound, a mark of the recognizer, or what recognizers write where nobody speaks, which summaries and answers leave out. Absent for speech',
    { optional: true, example: true },
  )
  noise?: boolean;
}

export class SpeakerStatistics {
  @TextProperty('Speaker label', { example: 'Ada' })
  speaker: string;

  @DecimalProperty('Seconds in which they speak, also while others do', { example: 412.5 })
  talkTime: number;

  @DecimalProperty('Part of the talk time of all speakers, 0 to 1', { maximum: 1, example: 0.625 })
  share: number;

  @DecimalProperty(
    `Seconds of the longest monologue: consecutive segments, with pauses of at most ${pause / 1000} s, and nobody else between who speaks for ${moment / 1000} s`,
    { example: 87.4 },
  )
  longestMonologue: number;

  @IntegerProperty(
    `How often they have interrupted: after ${moment / 1000} s of silence, they began to speak for at least as long while the last other speaker was speaking, who stopped ${overlap / 1000} to ${moment / 1000} s later, and was silent for more than ${moment / 1000} s`,
    { example: 2 },
  )
  interruptions: number;

  @IntegerProperty('Sentences that end in a question mark', { example: 9 })
  questions: number;
}

export const SpeakerStatisticsProperty = (): PropertyDecorator =>
  NestedProperty(
    () => [SpeakerStatistics],
    `What each speaker does, by talk time, at most ${speakers} of them; null before there is a transcript, and for one written before release 1.1.0 until it changes`,
    { nullable: true },
  );

class TranscriptPagination {
  @IntegerProperty('Number of chunks in the whole transcript', { example: 11 })
  total_chunks: number;

  @BooleanProperty('Whether there are more chunks after this page', { example: false })
  has_more: boolean;
}

export class SpeakerSuggestion {
  @TextProperty('Speaker label', { example: 'Speaker 1' })
  speaker: string;

  @TextProperty('Whose voice it probably is', { example: 'Ada' })
  name: string;

  @DecimalProperty('How alike the voices are, up to 1', { maximum: 1, example: 0.83 })
  confidence: number;
}

export class TranscriptPage {
  @ContentStatusProperty(
    'Status of the transcript; there are segments when it is `completed` and, as far as they have been transcribed, while it is `processing`',
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

  @NestedProperty(
    () => [SpeakerSuggestion],
    'Who the speakers of a transcription probably are, by the voices of speakers that were named in earlier meetings of the organization, if it remembers them (`remember_voices`). Absent without any, in files, and for callers who may not rename speakers',
    { optional: true },
  )
  speakerSuggestions?: SpeakerSuggestion[];

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
  // More segments are not a new revision, and `If-None-Match` must not hide them.
  const revision = head.status === 'processing' ? undefined : head.revision;
  return new JsonText([begin, segmentsJson, end], revision);
}

export function presentSegment(segment: TranscriptSegment): Segment {
  const { id, start, end, text, speaker, confidence, noise } = segment;
  return { id, start, end, text, speaker, confidence, ...(noise && { noise }) };
}

interface TranscriptPageHead extends Readonly<Omit<TranscriptPage, 'segments' | 'pagination'>> {
  readonly totalChunks: number;
  readonly hasMore: boolean;
}

export interface TranscriptPageContent extends TranscriptPageHead {
  readonly segments: TranscriptSegment[];
}

/** A page that is passed through without parsing, so that a long one is as fast as PostgreSQL returns it. */
export interface TranscriptPageText extends TranscriptPageHead {
  /** JSON lists of segments as stored, with exactly the fields of `TranscriptSegment`, and `LIST_SEAM` between them. */
  readonly segmentsJson: string;
}

/** Describes a page of the transcript, or of the draft of a running transcription if there is one. */
export function describePage(
  { row, access }: OpenRecording,
  draft: OpenRecording['row']['transcriptDraft'],
  startChunk: number,
  count: number,
): TranscriptPageHead {
  const { transcription: status } = access;
  const segments = status === 'completed' ? (row.transcriptSegmentsCount ?? 0) : (draft?.segmentsCount ?? 0);
  const totalChunks = chunksOfSegments(segments);
  return {
    status,
    statusReason: row.transcriptStatusReason,
    revision: row.transcriptRevision ?? 0,
    language: row.transcriptLanguage,
    confidenceKnown: row.transcriptConfidenceKnown ?? false,
    speakers: draft?.speakers ?? row.transcriptSpeakers ?? [],
    duration: draft?.duration ?? row.transcriptDuration ?? 0,
    totalChunks,
    hasMore: startChunk + count < totalChunks,
  };
}
