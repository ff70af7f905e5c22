import { PickType } from '@nestjs/swagger';
import { IntegerProperty, NestedProperty, TextProperty } from '../../../platform/openapi/field.decorator.js';
import type { ImportResult } from '../transcript-import.service.js';
import { TranscriptPage } from '../public/transcript-page.response.dto.js';

export class SkippedPart {
  @TextProperty('Position in the file: a line, or a path in JSON', { example: 'line 12' })
  place: string;

  @TextProperty('Why the part was skipped', { example: 'ends before it starts' })
  reason: string;
}

export class ImportedTranscript extends PickType(TranscriptPage, [
  'status',
  'revision',
  'language',
  'speakers',
  'duration',
]) {
  @IntegerProperty('Number of segments', { example: 214 })
  segmentsCount: number;

  @IntegerProperty('Number of parts of the file that were skipped because of `lenient=true`', { example: 1 })
  skippedCount: number;

  @NestedProperty(() => [SkippedPart], 'The first 100 skipped parts')
  skipped: SkippedPart[];
}

export function presentImportedTranscript({
  recording: { row },
  skipped,
  skippedCount,
}: ImportResult): ImportedTranscript {
  return {
    status: row.transcript_status ?? 'not_started',
    revision: row.transcript_revision ?? 0,
    language: row.transcript_language,
    speakers: row.transcript_speakers ?? [],
    segmentsCount: row.transcript_segments_count ?? 0,
    duration: row.transcript_duration ?? 0,
    skippedCount,
    skipped: skipped.map(({ place, reason }) => ({ place, reason })),
  };
}
