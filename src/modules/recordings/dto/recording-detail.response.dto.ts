import { OmitType } from '@nestjs/swagger';
import {
  BooleanProperty,
  DecimalProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import { DetailCapabilities } from '../../recording-access/dto/capabilities.response.dto.js';
import { RecordingFields } from '../../recording-access/dto/recording-fields.response.dto.js';
import { RecordingSummary } from '../../summaries/dto/summary.response.dto.js';

export class TranscriptionOverview {
  @EnumProperty({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the transcript',
    example: 'completed',
  })
  status: ContentStatus;

  @TextProperty({
    description: 'Why the last transcription failed, in words; null otherwise',
    example: null,
    nullable: true,
  })
  statusReason: string | null;

  @TextProperty({ description: 'Language code; null before transcription', example: 'en', nullable: true })
  language: string | null;

  @StringListProperty({
    description: 'Speaker labels, in the order in which they first speak',
    example: ['Ada', 'Grace'],
  })
  speakers: string[];

  @IntegerProperty({ description: 'Number of segments', example: 214 })
  segmentsCount: number;

  @DecimalProperty({ description: 'Seconds to the end of the last segment', example: 1834.2 })
  duration: number;
}

export class SummaryDetail extends OmitType(RecordingSummary, ['revision']) {}

export class RecordingDetail extends RecordingFields {
  @TextProperty({
    description: 'Notes, at most 100,000 characters; null when the recording is locked',
    example: 'Follow up on the pricing page.',
    nullable: true,
  })
  notes: string | null;

  @TextProperty({
    description: 'Why the status is `ERROR`, in words; null otherwise',
    example: null,
    nullable: true,
  })
  statusReason: string | null;

  @DecimalProperty({
    description: 'Seconds of audio and video; null until they have been looked into',
    example: 1834.2,
    nullable: true,
  })
  duration: number | null;

  @TimestampProperty({ description: 'When title, notes or status last changed' })
  updatedAt: string;

  @TimestampProperty({ description: 'When the meeting started; null when not known', nullable: true })
  startedAt: string | null;

  @TimestampProperty({ description: 'When the meeting ended; null when not known', nullable: true })
  endedAt: string | null;

  @UrlProperty({
    description:
      'Plays the video; signed, works without a key until `downloadUrlExpiresAt`. Null until playable, or when locked',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=inline&expires=1769855400&signature=k3Jx',
    nullable: true,
  })
  videoUrl: string | null;

  @UrlProperty({
    description:
      'HLS playlist for players; signed, works without a key until `downloadUrlExpiresAt`, its segments too. Null until there is one',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/hls/1769855400.m8Ta/master.m3u8',
    nullable: true,
  })
  hlsUrl: string | null;

  @UrlProperty({
    description: 'Downloads the video as a file named after the title; signed. Null without `canDownload`',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=attachment&expires=1769855400&signature=p7Qd',
    nullable: true,
  })
  downloadUrl: string | null;

  @TimestampProperty({
    description: 'When the addresses above stop working; null when there are none',
    nullable: true,
  })
  downloadUrlExpiresAt: string | null;

  @IdProperty({ description: 'Organization it belongs to; null for a personal recording', nullable: true })
  organizationId: string | null;

  @IdProperty({ description: 'Folder of the organization it lies in; null for none', nullable: true })
  folderId: string | null;

  @NestedProperty(() => TranscriptionOverview, {
    description: 'The transcript in short; counts are zero while withheld',
  })
  transcription: TranscriptionOverview;

  @NestedProperty(() => SummaryDetail, { description: 'The summary' })
  summary: SummaryDetail;

  @BooleanProperty({ description: 'Locked by the plan: older than its days of history', example: false })
  isLocked: boolean;

  @NestedProperty(() => DetailCapabilities, { description: 'What the caller can do with it' })
  capabilities: DetailCapabilities;
}
