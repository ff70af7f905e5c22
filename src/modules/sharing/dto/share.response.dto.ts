import {
  EnumProperty,
  NestedProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../entities/share-link.entity.js';
import type { SharedContent } from '../visits/share-content.service.js';
import { presentSharedRecording, SharedRecording } from './shared-recording.response.dto.js';
import { presentSharedSummary, SharedSummary } from './shared-summary.response.dto.js';
import { presentSharedTranscript, SharedTranscript } from './shared-transcript.response.dto.js';

/** What recipients of a share link get, without notes, owner and organization. */
export class Share {
  @EnumProperty({
    values: SHARE_PERMISSIONS,
    name: 'SharePermission',
    description: 'What recipients can do',
    example: 'view',
  })
  permission: SharePermission;

  @TimestampProperty({ description: 'When the link expires; null if never', nullable: true })
  expires_at: string | null;

  @NestedProperty(() => SharedRecording, { description: 'The recording' })
  recording: SharedRecording;

  @NestedProperty(() => SharedTranscript, {
    description: 'A page of the transcript; null while transcription is turned off',
    nullable: true,
  })
  transcript: SharedTranscript | null;

  @NestedProperty(() => SharedSummary, {
    description: 'The summary; null while summaries are turned off',
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
