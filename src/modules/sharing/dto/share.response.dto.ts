import { OmitType, PickType } from '@nestjs/swagger';
import { NestedProperty } from '../../../platform/openapi/field.decorator.js';
import { presentSummaryContent, SummaryResponse } from '../../summaries/public/summary.response.dto.js';
import { presentSegment, TranscriptPage } from '../../transcripts/public/transcript-page.response.dto.js';
import type { TranscriptPageContent } from '../../transcripts/public/transcript-page.js';
import { REASONS_FIELD } from '../../recordings/access/public/capability-reasons.response.dto.js';
import { sharedSummary, type SharedContent } from '../visits/shared-content.js';
import {
  presentShareCapabilities,
  ShareCapabilities,
  ShareCapabilityReasons,
} from './share-capabilities.response.dto.js';
import { CreatedShareLink } from './share-link.response.dto.js';
import { presentSharedRecording, SharedRecording } from './shared-recording.response.dto.js';

export class SharedSummary extends OmitType(SummaryResponse, ['statusReason', 'revision']) {}

export class SharedTranscript extends OmitType(TranscriptPage, ['statusReason', 'confidenceKnown']) {}

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

  @NestedProperty(() => SharedSummary, 'The summary; null while summaries are turned off', { nullable: true })
  summary: SharedSummary | null;

  @NestedProperty(() => ShareCapabilities, 'What recipients can do with the recording')
  capabilities: ShareCapabilities;

  @NestedProperty(
    () => ShareCapabilityReasons,
    `${REASONS_FIELD}. \`scope\`: the link does not permit it, because of its permission, or because of what its creator may share at present; recipients are not told which`,
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
    transcript: content.transcript && presentSharedTranscript(content.transcript),
    summary: recording.access.capabilities.canViewSummary ? presentSharedSummary(recording) : null,
    ...presentShareCapabilities(content.share),
  };
}

function presentSharedSummary(recording: SharedContent['share']['recording']): SharedSummary {
  return {
    status: recording.row.summary_status ?? recording.access.missingSummary,
    ...presentSummaryContent(sharedSummary(recording)),
  };
}

function presentSharedTranscript(page: TranscriptPageContent): SharedTranscript {
  return {
    status: page.status,
    revision: page.revision,
    language: page.language,
    speakers: page.speakers,
    duration: page.duration,
    segments: page.segments.map(presentSegment),
    pagination: { total_chunks: page.totalChunks, has_more: page.hasMore },
  };
}
