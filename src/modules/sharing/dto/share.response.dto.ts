import { Choice, Nested, Timestamp } from '../../../platform/openapi/field.decorator.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../entities/share-link.entity.js';
import type { SharedContent } from '../visits/share-content.service.js';
import { presentSharedRecording, SharedRecording } from './shared-recording.response.dto.js';
import { presentSharedSummary, SharedSummary } from './shared-summary.response.dto.js';
import { presentSharedTranscript, SharedTranscript } from './shared-transcript.response.dto.js';

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

export function presentShare(content: SharedContent): Share {
  const { link } = content.share;
  return {
    permission: link.permission,
    expires_at: link.expiresAt?.toISOString() ?? null,
    recording: presentSharedRecording(content),
    transcript: content.transcript && presentSharedTranscript(content.transcript),
    summary: content.share.recording.access.capabilities.canViewSummary
      ? presentSharedSummary(content.summary)
      : null,
  };
}
