import { present } from '../../../contract/present.js';
import { PickType, OmitType } from '@nestjs/swagger';
import {
  BooleanProperty,
  classOf,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { SharedTrack } from '../../tracks/public/track.dto.js';
import { MediaUrlProperty } from '../../recordings/access/public/recording-fields.response.dto.js';
import { RecordingDetail } from '../../recordings/public/recording-detail.response.dto.js';
import { sharedSummary, type SharedContent } from './shared-content.js';
import {
  RECIPIENT_CAPABILITIES,
  reasonForRecipients,
  type RecipientCapability,
} from '../../../policy/share-links.js';
import {
  RecordingCapabilityReasons,
  REASONS_FIELD,
} from '../../recordings/access/public/capabilities.response.dto.js';
import type { OpenShare } from '../access/public/open-share.js';
import { presentSummaryContent, SummaryResponse } from '../../summaries/public/summary.response.dto.js';
import {
  presentSegment,
  type SpeakerStatistics,
  SpeakerStatisticsProperty,
  TranscriptPage,
  type TranscriptPageContent,
} from '../../transcripts/public/transcript-page.dto.js';
import { CreatedShareLink } from '../links/share-link.dto.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { LIMITS, SEGMENTS_PER_CHUNK } from '../../../contract/limits.js';

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
  @MediaUrlProperty(
    'URL of the video, for playback. Signed for this link: works until `downloadUrlExpiresAt`, but only while the link does',
    'video?disposition=inline&share=...',
  )
  videoUrl: string | null;

  @MediaUrlProperty('URL of the HLS playlist. Signed like `videoUrl`', 'hls/.../master.m3u8')
  hlsUrl: string | null;

  @MediaUrlProperty(
    'URL of the transcript as WebVTT, for players. Signed like `videoUrl`. Null without `videoUrl`, while transcription is turned off, and until there is a transcript',
    'captions.vtt?share=...',
  )
  captionsUrl: string | null;

  @MediaUrlProperty(
    `URL of the thumbnail, a JPEG at most ${LIMITS.thumbnailWidth} pixels wide. Signed like \`videoUrl\``,
    'thumbnail?share=...',
  )
  thumbnailUrl: string | null;

  @MediaUrlProperty(
    'URL that downloads the video. Null unless the permission of the link is `download` and the plan and feature flags allow it',
    'video?disposition=attachment&share=...',
  )
  downloadUrl: string | null;
}

const presentSharedRecording = ({ share, media: urls, thumbnail }: SharedContent): SharedRecording =>
  present(SharedRecording, {
    ...share.recording.row,
    media: share.recording.access.media,
    videoUrl: urls.video,
    hlsUrl: urls.hls,
    captionsUrl: urls.captions,
    thumbnailUrl: thumbnail,
    downloadUrl: urls.download,
    downloadUrlExpiresAt: urls.expiresAt,
  });

export class ShareCapabilities extends classOf<Record<RecipientCapability, boolean>>({
  canDownload: BooleanProperty('There is media, and it can be downloaded', { example: false }),
  canViewTranscription: BooleanProperty('The transcript can be read', { example: true }),
  canViewSummary: BooleanProperty('The summary can be read', { example: true }),
}) {}

export class ShareCapabilityReasons extends PickType(RecordingCapabilityReasons, RECIPIENT_CAPABILITIES) {}

function presentShareCapabilities({ link, recording }: OpenShare) {
  const capabilities: Partial<ShareCapabilities> = {};
  const capabilityReasons: ShareCapabilityReasons = {};
  for (const capability of RECIPIENT_CAPABILITIES) {
    const reason = reasonForRecipients(capability, link.permission, recording.access);
    capabilities[capability] = reason === null;
    if (reason) capabilityReasons[capability] = reason;
  }
  return { capabilities: capabilities as ShareCapabilities, capabilityReasons };
}

export class SharedSummary extends OmitType(SummaryResponse, ['statusReason', 'revision']) {}

export class SharedTranscript extends OmitType(TranscriptPage, [
  'statusReason',
  'confidenceKnown',
  'speakerSuggestions',
]) {
  @SpeakerStatisticsProperty()
  speakerStatistics: SpeakerStatistics[] | null;
}

/** What recipients of a share link get, without notes, owner and organization. */
export class Share extends PickType(CreatedShareLink, ['permission', 'expires_at']) {
  @NestedProperty(() => SharedRecording, 'The recording')
  recording: SharedRecording;

  @NestedProperty(
    () => SharedTranscript,
    'A page of the transcript; null while transcription is turned off',
    { nullable: true },
  )
  transcript: SharedTranscript | null;

  @NestedProperty(
    () => [SharedTrack],
    'The tracks that can be played, with URLs that work only while the link permits tracks; null if it does not',
    { nullable: true },
  )
  tracks: SharedTrack[] | null;

  @NestedProperty(() => SharedSummary, 'The summary; null while summaries are turned off', { nullable: true })
  summary: SharedSummary | null;

  @NestedProperty(() => ShareCapabilities, 'What recipients can do with the recording')
  capabilities: ShareCapabilities;

  @NestedProperty(
    () => ShareCapabilityReasons,
    `${REASONS_FIELD}. \`scope\`: the link does not permit it, either by its own permission or because its creator may not share it at present; recipients are not told which`,
    { example: { canDownload: { reason: 'scope', plan: null } } },
  )
  capabilityReasons: ShareCapabilityReasons;
}

export function presentShare(content: SharedContent): Share {
  const { link, recording } = content.share;
  return {
    permission: link.permission,
    expires_at: link.expiresAt?.toISOString() ?? null,
    recording: presentSharedRecording(content),
    transcript: content.transcript && {
      ...presentSharedTranscript(content.transcript),
      // Not those of the transcript before, beside a draft.
      speakerStatistics: content.transcript.status === 'completed' ? recording.row.speakerStatistics : null,
    },
    tracks: content.tracks && content.tracks.map((track) => present(SharedTrack, track)),
    summary: recording.access.capabilities.canViewSummary
      ? {
          status: recording.row.summaryStatus ?? recording.access.missingSummary,
          ...presentSummaryContent(sharedSummary(recording)),
        }
      : null,
    ...presentShareCapabilities(content.share),
  };
}

function presentSharedTranscript(page: TranscriptPageContent): Omit<SharedTranscript, 'speakerStatistics'> {
  const { status, revision, language, speakers, duration, totalChunks, hasMore } = page;
  const segments = page.segments.map(presentSegment);
  const pagination = { total_chunks: totalChunks, has_more: hasMore };
  return { status, revision, language, speakers, duration, segments, pagination };
}

export class ShareAccess {
  @TextProperty('Gives access to the link for a day; send it in the `X-Share-Access` header', {
    example: '1795262433.q2HsT0fWbY0y5xk3n4vQm1Zc8rLd7uEa9gJp6iKoXtM',
  })
  access_token: string;

  @TimestampProperty('When the token expires', { example: '2026-11-21T12:00:33.000Z' })
  expires_at: string;
}

export class OpenShareDto {
  @IntegerParameter('Index of the first chunk of the transcript', { min: 0, default: 0, example: 0 })
  start_chunk: number = 0;

  @IntegerParameter(
    `Chunks of the transcript per page; a chunk is ${SEGMENTS_PER_CHUNK} consecutive segments`,
    {
      ...LIMITS.transcriptChunks,
      example: 50,
    },
  )
  limit: number = LIMITS.transcriptChunks.default;
}

export class UnlockShareDto {
  @TextField('The password of the link', { ...LIMITS.sharePassword, example: 'open sesame' })
  password: string;
}
