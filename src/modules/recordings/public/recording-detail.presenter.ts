import { presentTopics } from '../../summaries/dto/summary.response.dto.js';
import type { CreatedRecording } from '../dto/create-recording.dto.js';
import { presentDetailCapabilities } from '../access/public/capabilities.response.dto.js';
import type {
  NewMedia,
  RecordingDetail,
  RecordingSummary,
  RecordingTranscription,
} from './recording-detail.response.dto.js';
import type { OpenRecording } from '../access/recording-access.service.js';
import { RECEIVED } from '../../pipeline/public/steps.js';
import type { RecordingMedia } from '../../media/public/media-urls.js';
import type { WholeRecording } from '../recordings.service.js';

/** Locked or disabled content is withheld: the fields remain, but without content. */
export function presentDetail(
  recording: WholeRecording,
  { media: urls, thumbnail }: RecordingMedia,
): RecordingDetail {
  const { row, access } = recording;
  return {
    id: row.id,
    status: row.status,
    statusReason: row.status_reason,
    title: row.title,
    notes: access.locked ? null : row.notes,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    revision: row.revision,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    duration: row.duration,
    progress: row.progress,
    media: access.media,
    videoUrl: urls.video,
    hlsUrl: urls.hls,
    captionsUrl: urls.captions,
    downloadUrl: urls.download,
    downloadUrlExpiresAt: urls.expiresAt?.toISOString() ?? null,
    thumbnailUrl: thumbnail,
    newMedia: presentNewMedia(row),
    organizationId: row.organization_id,
    folderId: row.folder_id,
    transcription: presentTranscription(recording),
    summary: presentSummary(recording),
    isLocked: access.locked,
    capabilities: presentDetailCapabilities(access.capabilities),
  };
}

export function presentCreated(
  recording: WholeRecording,
  media: RecordingMedia,
  uploadUrl: string | null,
): CreatedRecording {
  return { ...presentDetail(recording, media), upload_url: uploadUrl };
}

function presentNewMedia({ new_media: upload }: WholeRecording['row']): NewMedia | null {
  if (upload === null) return null;
  const { closed, received, size, progress, status_reason: statusReason } = upload;
  if (statusReason !== null) return { status: 'failed', progress: 0, statusReason };
  if (closed) return { status: 'processing', progress: Math.max(RECEIVED, progress), statusReason };
  return { status: 'uploading', progress: size === null ? 0 : (RECEIVED * received) / size, statusReason };
}

function presentTranscription({ row, access }: OpenRecording): RecordingTranscription {
  const status = row.transcript_status ?? 'not_started';
  if (!access.capabilities.canViewTranscription) {
    return {
      status,
      progress: 0,
      statusReason: null,
      language: null,
      speakers: [],
      segmentsCount: 0,
      duration: 0,
    };
  }
  return {
    status,
    progress: status === 'completed' ? 1 : (row.transcript_progress ?? 0),
    statusReason: row.transcript_status_reason,
    language: row.transcript_language,
    speakers: row.transcript_speakers ?? [],
    segmentsCount: row.transcript_segments_count ?? 0,
    duration: row.transcript_duration ?? 0,
  };
}

function presentSummary({ row, access }: WholeRecording): RecordingSummary {
  const status = row.summary_status ?? 'not_started';
  if (!access.capabilities.canViewSummary) return { status, statusReason: null, content: null, topics: [] };
  const completed = status === 'completed';
  return {
    status,
    statusReason: row.summary_status_reason,
    content: completed ? row.summary_content : null,
    topics: completed ? presentTopics(row.summary_topics ?? []) : [],
  };
}
