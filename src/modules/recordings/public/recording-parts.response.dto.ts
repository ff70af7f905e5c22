import { OmitType, PickType } from '@nestjs/swagger';
import {
  DecimalProperty,
  EnumProperty,
  IntegerProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import {
  NEW_MEDIA_STATUSES,
  type NewMediaStatus,
  type ShownStatus,
} from '../../../policy/recording-status.js';
import { RECEIVED } from '../../pipeline/public/steps.js';
import { completedSummary } from '../../summaries/public/summaries.sql.js';
import { presentSummaryContent, SummaryResponse } from '../../summaries/public/summary.response.dto.js';
import { TranscriptPage } from '../../transcripts/public/transcript-page.dto.js';
import type { OpenRecording } from '../access/recording-access.service.js';
import { ContentStatusProperty } from '../access/public/recording-fields.response.dto.js';
import type { WholeRecording } from '../recording-detail.hot.sql.js';

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
}

export function presentTranscription({ row, access }: OpenRecording): RecordingTranscription {
  const { transcription: status } = access;
  const shown = access.capabilities.canViewTranscription ? row : null;
  return {
    status,
    progress: shown && status === 'completed' ? 1 : (shown?.transcript_progress ?? 0),
    statusReason: shown?.transcript_status_reason ?? null,
    language: shown?.transcript_language ?? null,
    speakers: shown?.transcript_speakers ?? [],
    segmentsCount: shown?.transcript_segments_count ?? 0,
    duration: shown?.transcript_duration ?? 0,
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
  const shown = access.capabilities.canViewSummary ? row : null;
  return {
    status: row.summary_status ?? access.missingSummary,
    statusReason: shown?.summary_status_reason ?? null,
    ...presentSummaryContent(shown && completedSummary(shown)),
  };
}
