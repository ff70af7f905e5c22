import { PickType } from '@nestjs/swagger';
import { UrlProperty } from '../../../platform/openapi/field.decorator.js';
import { RecordingDetail } from '../../recordings/public/recording-detail.response.dto.js';
import type { SharedContent } from '../visits/shared-content.js';

export class SharedRecording extends PickType(RecordingDetail, [
  'id',
  'status',
  'progress',
  'media',
  'title',
  'createdAt',
  'startedAt',
  'endedAt',
  'duration',
  'downloadUrlExpiresAt',
]) {
  @UrlProperty(
    'URL of the video, for playback. Signed for this link: works until `downloadUrlExpiresAt`, but only while the link does',
    {
      example:
        'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=inline&share=...',
      nullable: true,
    },
  )
  videoUrl: string | null;

  @UrlProperty('URL of the HLS playlist. Signed like `videoUrl`', {
    example: 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/hls/.../master.m3u8',
    nullable: true,
  })
  hlsUrl: string | null;

  @UrlProperty(
    'URL of the transcript as WebVTT, for players. Signed like `videoUrl`. Null without `videoUrl`, while transcription is turned off, and until there is a transcript',
    {
      example: 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/captions.vtt?share=...',
      nullable: true,
    },
  )
  captionsUrl: string | null;

  @UrlProperty('URL of the thumbnail, a JPEG. Signed like `videoUrl`', {
    example: 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/thumbnail?share=...',
    nullable: true,
  })
  thumbnailUrl: string | null;

  @UrlProperty(
    'URL that downloads the video. Null unless the permission of the link is `download` and the plan and feature flags allow it',
    {
      example:
        'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/video?disposition=attachment&share=...',
      nullable: true,
    },
  )
  downloadUrl: string | null;
}

export function presentSharedRecording({ share, media: urls, thumbnail }: SharedContent): SharedRecording {
  const { row, access } = share.recording;
  return {
    id: row.id,
    status: row.status,
    progress: row.progress,
    media: access.media,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    duration: row.duration,
    videoUrl: urls.video,
    hlsUrl: urls.hls,
    captionsUrl: urls.captions,
    thumbnailUrl: thumbnail,
    downloadUrl: urls.download,
    downloadUrlExpiresAt: urls.expiresAt?.toISOString() ?? null,
  };
}
