import {
  Address,
  Choice,
  Decimal,
  Flag,
  Id,
  Nested,
  Text,
  Timestamp,
  Whole,
  Words,
} from '../../../platform/openapi/field.decorator.js';
import {
  CONTENT_STATUSES,
  RECORDING_STATUSES,
  type ContentStatus,
  type RecordingStatus,
} from '../../../policy/recording-status.js';
import type { Summary } from '../../summaries/entities/summary.entity.js';
import type { TranscriptPageContent } from '../../transcripts/transcripts.service.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../entities/share-link.entity.js';
import type { SharedContent } from '../share-content.service.js';
import type { SharePass } from '../share-passwords.service.js';

export class SharedRecording {
  @Id({ description: 'Identifier of the recording' })
  id: string;

  @Choice({
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    description: 'State of the recording; it plays in MIGRATING and COMPLETED',
    example: 'COMPLETED',
  })
  status: RecordingStatus;

  @Decimal({ description: 'Fraction of the processing that is done', maximum: 1, example: 1 })
  progress: number;

  @Text({ description: 'Title', example: 'Weekly sync' })
  title: string;

  @Timestamp({ description: 'When it was created' })
  createdAt: string;

  @Timestamp({ description: 'When the meeting started; null when not known', nullable: true })
  startedAt: string | null;

  @Timestamp({ description: 'When the meeting ended; null when not known', nullable: true })
  endedAt: string | null;

  @Decimal({
    description: 'Seconds of audio and video; null until they have been looked into',
    example: 1834.2,
    nullable: true,
  })
  duration: number | null;

  @Address({
    description: 'Plays the video; signed for this link, ends with it and at `downloadUrlExpiresAt`',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=inline&share=...',
    nullable: true,
  })
  videoUrl: string | null;

  @Address({
    description: 'HLS playlist; signed for this link like `videoUrl`',
    example: 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/hls/.../master.m3u8',
    nullable: true,
  })
  hlsUrl: string | null;

  @Address({
    description: 'A picture of it; signed for this link like `videoUrl`',
    example: 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/thumbnail?share=...',
    nullable: true,
  })
  thumbnailUrl: string | null;

  @Address({
    description: 'Downloads the video; null unless the link permits `download`, and plan and switches do',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=attachment&share=...',
    nullable: true,
  })
  downloadUrl: string | null;

  @Timestamp({
    description: 'When the addresses above stop working; null when there are none',
    nullable: true,
  })
  downloadUrlExpiresAt: string | null;
}

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

/** What recipients of a share link get: nothing of notes, owner and organization. */
export class Share {
  @Choice({
    values: SHARE_PERMISSIONS,
    name: 'SharePermission',
    description: 'What recipients may do',
    example: 'view',
  })
  permission: SharePermission;

  @Timestamp({ description: 'When the link stops working; null: never', nullable: true })
  expires_at: string | null;

  @Nested(() => SharedRecording, { description: 'The recording' })
  recording: SharedRecording;

  @Nested(() => SharedTranscript, {
    description: 'A page of the transcript; null while transcription is switched off',
    nullable: true,
  })
  transcript: SharedTranscript | null;

  @Nested(() => SharedSummary, {
    description: 'The summary; null while summaries are switched off',
    nullable: true,
  })
  summary: SharedSummary | null;
}

export class SharePassItem {
  @Text({
    description: 'Opens the link for a day: send it as `X-Share-Access`',
    example: '1795262433.q2HsT0fWbY0y5xk3n4vQm1Zc8rLd7uEa9gJp6iKoXtM',
  })
  access_token: string;

  @Timestamp({ description: 'When it stops working' })
  expires_at: string;
}

export function presentSharePass({ pass, expiresAt }: SharePass): SharePassItem {
  return { access_token: pass, expires_at: expiresAt.toISOString() };
}

export function presentShare(content: SharedContent): Share {
  const { link } = content.share;
  return {
    permission: link.permission,
    expires_at: link.expiresAt?.toISOString() ?? null,
    recording: presentRecording(content),
    transcript: content.transcript && presentTranscript(content.transcript),
    summary: content.share.recording.access.capabilities.canViewSummary
      ? presentSummary(content.summary)
      : null,
  };
}

function presentRecording({ share, media, thumbnail }: SharedContent): SharedRecording {
  const { row } = share.recording;
  return {
    id: row.id,
    status: row.status,
    progress: row.progress,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    duration: row.duration,
    videoUrl: media.video,
    hlsUrl: media.hls,
    thumbnailUrl: thumbnail,
    downloadUrl: media.download,
    downloadUrlExpiresAt: media.expiresAt?.toISOString() ?? null,
  };
}

function presentTranscript(page: TranscriptPageContent): SharedTranscript {
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

function presentSummary(summary: Summary | null): SharedSummary {
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
