import {
  BooleanProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
  DecimalProperty,
  EnumProperty,
} from '../../../platform/openapi/field.decorator.js';
import { CAPABILITIES } from '../../../policy/capabilities.js';
import type { RecordingMedia } from '../../media/public/media-urls.js';
import {
  RecordingCapabilities,
  presentReasons,
  REASONS_FIELD,
  RecordingCapabilityReasons,
} from '../access/public/capabilities.response.dto.js';
import {
  KEY_EXAMPLE,
  MediaUrlProperty,
  presentPlace,
  RecordingFields,
  ContentStatusProperty,
} from '../access/public/recording-fields.response.dto.js';
import { presentRetention } from '../access/public/retention.response.dto.js';
import type { WholeRecording } from '../recording-detail.hot.sql.js';
import { LIMITS } from '../../../contract/limits.js';
import { rangeText } from '../../../lib/amounts.js';
import { OmitType, PickType } from '@nestjs/swagger';
import {
  NEW_MEDIA_STATUSES,
  type NewMediaStatus,
  type ShownStatus,
} from '../../../policy/recording-status.js';
import { RECEIVED } from '../../pipeline/public/steps.js';
import { completedSummary } from '../../summaries/public/summaries.sql.js';
import { presentSummaryContent, SummaryResponse } from '../../summaries/public/summary.response.dto.js';
import {
  type SpeakerStatistics,
  SpeakerStatisticsProperty,
  TranscriptPage,
} from '../../transcripts/public/transcript-page.dto.js';

export class RecordingTranscription extends PickType(TranscriptPage, [
  'statusReason',
  'language',
  'speakers',
  'duration',
]) {
  @ContentStatusProperty('Status of the transcript')
  status: ShownStatus;

  @DecimalProperty('Fraction of the audio that has been transcribed, 0 to 1; 1 when `completed`', {
    maximum: 1,
    example: 1,
  })
  progress: number;

  @IntegerProperty('Number of segments', { example: 214 })
  segmentsCount: number;

  @SpeakerStatisticsProperty()
  speakerStatistics: SpeakerStatistics[] | null;
}

export function presentTranscription({ row, access }: WholeRecording): RecordingTranscription {
  const { transcription: status } = access;
  const shown = access.capabilities.canViewTranscription ? row : null;
  return {
    status,
    progress: shown && status === 'completed' ? 1 : (shown?.transcriptProgress ?? 0),
    statusReason: shown?.transcriptStatusReason ?? null,
    language: shown?.transcriptLanguage ?? null,
    speakers: shown?.transcriptSpeakers ?? [],
    segmentsCount: shown?.transcriptSegmentsCount ?? 0,
    duration: shown?.transcriptDuration ?? 0,
    speakerStatistics: shown?.speakerStatistics ?? null,
  };
}

export class NewMedia {
  @EnumProperty('What happens to it; `failed` until another upload is opened', {
    values: NEW_MEDIA_STATUSES,
    name: 'NewMediaStatus',
    example: 'processing',
  })
  status: NewMediaStatus;

  @DecimalProperty('Progress, 0 to 1; 0.5 when all bytes have arrived', { maximum: 1, example: 0.7 })
  progress: number;

  @TextProperty('Why it failed; null otherwise', { example: null, nullable: true })
  statusReason: string | null;
}

export function presentNewMedia({ newMedia: upload }: WholeRecording['row']): NewMedia | null {
  if (upload === null) return null;
  const { closed, received, size, progress, statusReason } = upload;
  if (statusReason !== null) return { status: 'failed', progress: 0, statusReason };
  if (closed) return { status: 'processing', progress: Math.max(RECEIVED, progress), statusReason };
  return { status: 'uploading', progress: size === null ? 0 : (RECEIVED * received) / size, statusReason };
}

export class RecordingSummary extends OmitType(SummaryResponse, ['revision']) {}

export function presentSummary({ row, access }: WholeRecording): RecordingSummary {
  const shown = access.capabilities.canViewSummary ? row : null;
  return {
    status: row.summaryStatus ?? access.missingSummary,
    statusReason: shown?.summaryStatusReason ?? null,
    ...presentSummaryContent(shown && completedSummary(shown)),
  };
}

export class RecordingDetail extends RecordingFields {
  @TextProperty(`Notes, ${rangeText(LIMITS.notes)} characters; null when the recording is locked`, {
    example: 'Follow up on the pricing page.',
    nullable: true,
  })
  notes: string | null;

  @TextProperty(
    'Why the status is `ERROR`. In `MIGRATING` and `COMPLETED`: what is missing from the media, or why the recording plays only as it was uploaded, without HLS; null if nothing is',
    { example: null, nullable: true },
  )
  statusReason: string | null;

  @TimestampProperty(
    'When the recording last changed: its title, notes, metadata, status, media, folder or organization, its transcript or its summary. Not changed by `progress`, by share links, or by what the plan allows',
  )
  updatedAt: string;

  @IntegerProperty(
    'Increases with every change of the title, notes, external id, metadata, status, media, folder or organization; also sent as `ETag`. Send it as `If-Match` to change or delete the recording only if nobody else has changed it. Transcript and summary have revisions of their own',
    { example: 4 },
  )
  revision: number;

  @TimestampProperty('When the meeting started; null if not known', { nullable: true })
  startedAt: string | null;

  @TimestampProperty('When the meeting ended; null if not known', {
    nullable: true,
    example: '2026-01-31T10:00:34.200Z',
  })
  endedAt: string | null;

  @MediaUrlProperty(
    'URL of the video, for playback. While the recording is being converted, this is the file as it was uploaded, which this URL keeps delivering afterwards. Signed: works without an `Authorization` header until `downloadUrlExpiresAt`, and only while the API key that requested it works and its user may play the recording, which is checked on every request. Null until the recording is playable, when it is locked, and when `media` is `none`',
    `video?disposition=inline&${KEY_EXAMPLE}&signature=k3Jx`,
  )
  videoUrl: string | null;

  @MediaUrlProperty(
    'URL of the HLS playlist. Signed like `videoUrl`; the same holds for its segments. Null until there is one, also in `MIGRATING` while the recording is being converted',
    'hls/key_01998a3c-0a11-7d52-8c6e-51f0c3a7b204.1769855400.m8Ta/master.m3u8',
  )
  hlsUrl: string | null;

  @MediaUrlProperty(
    'URL of the transcript as WebVTT, for players that play the video; HLS names it as subtitles. Signed like `videoUrl`, and works only while `canViewTranscription` holds. Always the current text. Null without `videoUrl`, without `canViewTranscription`, and until there is a transcript',
    `captions.vtt?${KEY_EXAMPLE}&signature=d0Wq`,
  )
  captionsUrl: string | null;

  @MediaUrlProperty(
    `URL that downloads the video as a file named after the title. Signed like \`videoUrl\`, and works only while \`canDownload\` holds. With files in S3, it redirects (302) to a URL of S3 that works for at most ${LIMITS.mediaRedirectSeconds} seconds: follow redirects, and resume from this URL. Null without \`canDownload\``,
    `video?disposition=attachment&${KEY_EXAMPLE}&signature=p7Qd`,
  )
  downloadUrl: string | null;

  @TimestampProperty('When the media URLs expire; null if there are none', {
    nullable: true,
    example: '2026-01-31T10:30:00.000Z',
  })
  downloadUrlExpiresAt: string | null;

  @NestedProperty(
    () => NewMedia,
    'Media that is being added to the recording or will replace its media (`POST /recordings/{id}/upload`); null if there is none, and once the recording has it',
    { nullable: true, example: null },
  )
  newMedia: NewMedia | null;

  @NestedProperty(
    () => RecordingTranscription,
    'Status and key figures of the transcript; counts are zero while withheld',
  )
  transcription: RecordingTranscription;

  @NestedProperty(() => RecordingSummary, 'The summary')
  summary: RecordingSummary;

  @BooleanProperty('Whether the recording is locked: older than the history included in the plan', {
    example: false,
  })
  isLocked: boolean;

  @NestedProperty(() => RecordingCapabilities, 'What the caller can do with the recording')
  capabilities: RecordingCapabilities;

  @NestedProperty(() => RecordingCapabilityReasons, REASONS_FIELD, {
    example: {
      canStartTranscription: { reason: 'not_ready', plan: null },
      canGenerateSummary: { reason: 'scope', plan: null },
    },
  })
  capabilityReasons: RecordingCapabilityReasons;
}

/** Locked or disabled content is withheld: the fields remain, but without content. */
export function presentDetail(
  recording: WholeRecording,
  { media: urls, thumbnail }: RecordingMedia,
): RecordingDetail {
  const { row, access } = recording;
  return {
    id: row.id,
    status: row.status,
    statusReason: row.statusReason,
    title: row.title,
    notes: access.locked ? null : row.notes,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    revision: row.revision,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    ...presentPlace(row),
    ...presentRetention(recording.retention),
    progress: row.progress,
    media: access.media,
    videoUrl: urls.video,
    hlsUrl: urls.hls,
    captionsUrl: urls.captions,
    downloadUrl: urls.download,
    downloadUrlExpiresAt: urls.expiresAt?.toISOString() ?? null,
    thumbnailUrl: thumbnail,
    newMedia: presentNewMedia(row),
    transcription: presentTranscription(recording),
    summary: presentSummary(recording),
    isLocked: access.locked,
    capabilities: { ...access.capabilities },
    capabilityReasons: presentReasons(access.reasons, CAPABILITIES),
  };
}
