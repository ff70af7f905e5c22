import { BooleanParameter } from '../../../platform/http/fields/choice-fields.js';
import { LanguageField } from '../../../platform/http/fields/text-fields.js';
import { FILE_FORM } from '../../../platform/http/bodies/one-file-form.js';
import { DOCX_TYPE } from '../../../lib/transcript-formats/transcript.js';
import { PickType } from '@nestjs/swagger';
import { IntegerProperty, NestedProperty, TextProperty } from '../../../platform/openapi/field.decorator.js';
import type { ImportResult } from '../transcript-import.service.js';
import { TranscriptPage } from '../public/transcript-page.dto.js';

export class SendTranscriptDto {
  @LanguageField(
    'Language of the transcript: a code, an English name, or `auto`. By default and with `auto`, the language given in the file, or else detected from the text',
    { optional: true, example: 'en' },
  )
  language?: string;

  @BooleanParameter('Whether to import the valid parts of a file and skip the invalid ones', {
    default: false,
    example: false,
  })
  lenient: boolean = false;
}

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const SEGMENT = {
  title: 'ImportedSegment',
  type: 'object' as const,
  required: ['start', 'end', 'text'],
  properties: {
    start: { ...NUMBER, minimum: 0, description: 'Start in seconds' },
    end: {
      ...NUMBER,
      minimum: 0,
      nullable: true,
      description: 'End in seconds; null if the segment lasts until the next one begins',
    },
    text: { ...TEXT, description: 'What was said' },
    speaker: { ...TEXT, description: 'Speaker label' },
    confidence: {
      ...NUMBER,
      minimum: 0,
      maximum: 1,
      description: 'Confidence of the transcription',
    },
  },
};

/** Request bodies in the API document. */
export const TRANSCRIPT_BODIES = {
  'text/vtt': {
    schema: TEXT,
    example: 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\n<v Ada>Good morning, shall we begin?\n',
  },
  'application/x-subrip': {
    schema: TEXT,
    example: '1\n00:00:01,000 --> 00:00:03,500\nAda: Good morning, shall we begin?\n',
  },
  'application/json': {
    schema: {
      title: 'ImportTranscriptRequest',
      type: 'object' as const,
      required: ['segments'],
      properties: {
        language: { ...TEXT, description: 'Language code' },
        segments: { type: 'array' as const, items: SEGMENT },
      },
    },
    example: {
      language: 'en',
      segments: [{ start: 1, end: 3.5, speaker: 'Ada', text: 'Good morning, shall we begin?' }],
    },
  },
  'text/plain': {
    schema: TEXT,
    example: 'Ada  0:01\nGood morning, shall we begin?\n',
  },
  [DOCX_TYPE]: {
    schema: { ...TEXT, format: 'binary' },
    example: 'A Word document with the transcript of Microsoft Teams',
  },
  ...FILE_FORM,
};

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
    status: row.transcriptStatus ?? 'not_started',
    revision: row.transcriptRevision ?? 0,
    language: row.transcriptLanguage,
    speakers: row.transcriptSpeakers ?? [],
    segmentsCount: row.transcriptSegmentsCount ?? 0,
    duration: row.transcriptDuration ?? 0,
    skippedCount,
    skipped: skipped.map(({ place, reason }) => ({ place, reason })),
  };
}
