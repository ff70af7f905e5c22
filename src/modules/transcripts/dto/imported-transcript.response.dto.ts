import {
  EnumProperty,
  DecimalProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
  StringListProperty,
} from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import type { ImportResult } from '../transcript-import.service.js';

export class SkippedPart {
  @TextProperty('Position in the file: a line, or a path in JSON', { example: 'line 12' })
  place: string;

  @TextProperty('Why the part was skipped', { example: 'ends before it starts' })
  reason: string;
}

export class ImportedTranscript {
  @EnumProperty('Status of the transcript', {
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    example: 'completed',
  })
  status: ContentStatus;

  @IntegerProperty('Increases with every change', { example: 1 })
  revision: number;

  @TextProperty('Language code; null if it could not be detected', { example: 'en', nullable: true })
  language: string | null;

  @StringListProperty('Speaker labels, in order of first appearance', { example: ['Ada', 'Grace'] })
  speakers: string[];

  @IntegerProperty('Number of segments', { example: 214 })
  segmentsCount: number;

  @DecimalProperty('Seconds to the end of the last segment', { example: 1834.2 })
  duration: number;

  @IntegerProperty('Number of parts of the file that were skipped because of `lenient=true`', { example: 0 })
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
