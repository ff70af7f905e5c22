import { OmitType } from '@nestjs/swagger';
import { presentSegment, TranscriptPage } from '../../transcripts/dto/transcript-page.response.dto.js';
import type { TranscriptPageContent } from '../../transcripts/transcripts.service.js';

export class SharedTranscript extends OmitType(TranscriptPage, ['statusReason', 'confidenceKnown']) {}

export function presentSharedTranscript(page: TranscriptPageContent): SharedTranscript {
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
