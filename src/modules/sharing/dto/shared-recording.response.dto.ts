import {
  UrlProperty,
  EnumProperty,
  DecimalProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';
import type { SharedContent } from '../visits/share-content.service.js';

export class SharedRecording {
  @IdProperty({ description: 'Identifier of the recording' })
  id: string;

  @EnumProperty({
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    description: 'State of the recording; it plays in MIGRATING and COMPLETED',
    example: 'COMPLETED',
  })
  status: RecordingStatus;

  @DecimalProperty({ description: 'Fraction of the processing that is done', maximum: 1, example: 1 })
  progress: number;

  @TextProperty({ description: 'Title', example: 'Weekly sync' })
  title: string;

  @TimestampProperty({ description: 'When it was created' })
  createdAt: string;

  @TimestampProperty({ description: 'When the meeting started; null when not known', nullable: true })
  startedAt: string | null;

  @TimestampProperty({ description: 'When the meeting ended; null when not known', nullable: true })
  endedAt: string | null;

  @DecimalProperty({
    description: 'Seconds of audio and video; null until they have been looked into',
    example: 1834.2,
    nullable: true,
  })
  duration: number | null;

  @UrlProperty({
    description: 'Plays the video; signed for this link, ends with it and at `downloadUrlExpiresAt`',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=inline&share=...',
    nullable: true,
  })
  videoUrl: string | null;

  @UrlProperty({
    description: 'HLS playlist; signed for this link like `videoUrl`',
    example: 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/hls/.../master.m3u8',
    nullable: true,
  })
  hlsUrl: string | null;

  @UrlProperty({
    description: 'A picture of it; signed for this link like `videoUrl`',
    example: 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/thumbnail?share=...',
    nullable: true,
  })
  thumbnailUrl: string | null;

  @UrlProperty({
    description:
      'Downloads the video; null unless the link permits `download`, and plan and feature flags do',
    example:
      'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=attachment&share=...',
    nullable: true,
  })
  downloadUrl: string | null;

  @TimestampProperty({
    description: 'When the addresses above stop working; null when there are none',
    nullable: true,
  })
  downloadUrlExpiresAt: string | null;
}

export function presentSharedRecording({ share, media, thumbnail }: SharedContent): SharedRecording {
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
