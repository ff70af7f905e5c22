import { OmitType } from '@nestjs/swagger';
import {
  DecimalProperty,
  EnumProperty,
  IntegerProperty,
  StringListProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import {
  SHOWN_STATUSES,
  NEW_MEDIA_STATUSES,
  type ShownStatus,
  type NewMediaStatus,
} from '../../../policy/recording-status.js';
import { RECEIVED } from '../../pipeline/public/steps.js';
import { completedSummary } from '../../summaries/public/summary-columns.sql.js';
import { presentSummaryContent, SummaryResponse } from '../../summaries/public/summary.response.dto.js';
import type { OpenRecording } from '../access/recording-access.service.js';
import type { WholeRecording } from '../recording-detail.hot.sql.js';

export class RecordingTranscription {
  @EnumProperty('Status of the transcript', {
    values: SHOWN_STATUSES,
    name: 'ContentStatus',
    example: 'completed',
  })
  status: ShownStatus;

  @DecimalProperty('Fraction of the audio that has been transcribed, 0 to 1; 1 when `completed`', {
    maximum: 1,
    example: 1,
  })
  progress: number;

  @TextProperty('Why the last transcription failed or has no segments; null otherwise', {
    example: null,
    nullable: true,
  })
  statusReason: string | null;

  @TextProperty('Language code; null before transcription', { example: 'en', nullable: true })
  language: string | null;

  @StringListProperty('Speaker labels, in order of first appearance', { example: ['Ada', 'Grace'] })
  speakers: string[];

  @IntegerProperty('Number of segments', { example: 214 })
  segmentsCount: number;

  @DecimalProperty('Seconds to the end of the last segment', { example: 1834.2 })
  duration: number;
}

export function presentTranscription({ row, access }: OpenRecording): RecordingTranscription {
  const { transcription: status } = access;
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

export function presentNewMedia({ new_media: upload }: WholeRecording['row']): NewMedia | null {
  if (upload === null) return null;
  const { closed, received, size, progress, status_reason: statusReason } = upload;
  if (statusReason !== null) return { status: 'failed', progress: 0, statusReason };
  if (closed) return { status: 'processing', progress: Math.max(RECEIVED, progress), statusReason };
  return { status: 'uploading', progress: size === null ? 0 : (RECEIVED * received) / size, statusReason };
}

export class RecordingSummary extends OmitType(SummaryResponse, ['revision']) {}

export function presentSummary({ row, access }: WholeRecording): RecordingSummary {
  const status = row.summary_status ?? access.missingSummary;
  if (!access.capabilities.canViewSummary)
    return { status, statusReason: null, ...presentSummaryContent(null) };
  return {
    status,
    statusReason: row.summary_status_reason,
    ...presentSummaryContent(completedSummary(row)),
  };
}
