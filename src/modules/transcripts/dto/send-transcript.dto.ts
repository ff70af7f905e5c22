import { BooleanParameter } from '../../../platform/http/fields/choice-fields.js';
import { LanguageField } from '../../../platform/http/fields/text-fields.js';
import { FILE_FORM } from '../../../platform/openapi/file-form.js';
import { DOCX_TYPE } from '../../../lib/transcript-formats/transcript.js';

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

const SEGMENT = {
  title: 'ImportedSegment',
  type: 'object' as const,
  required: ['start', 'end', 'text'],
  properties: {
    start: { type: 'number' as const, minimum: 0, description: 'Start in seconds' },
    end: {
      type: 'number' as const,
      minimum: 0,
      nullable: true,
      description: 'End in seconds; null if the segment lasts until the next one begins',
    },
    text: { type: 'string' as const, description: 'What was said' },
    speaker: { type: 'string' as const, description: 'Speaker label' },
    confidence: {
      type: 'number' as const,
      minimum: 0,
      maximum: 1,
      description: 'Confidence of the transcription',
    },
  },
};

/** Request bodies in the API document. */
export const TRANSCRIPT_BODIES = {
  'text/vtt': {
    schema: { type: 'string' as const },
    example: 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\n<v Ada>Good morning, shall we begin?\n',
  },
  'application/x-subrip': {
    schema: { type: 'string' as const },
    example: '1\n00:00:01,000 --> 00:00:03,500\nAda: Good morning, shall we begin?\n',
  },
  'application/json': {
    schema: {
      title: 'ImportTranscriptRequest',
      type: 'object' as const,
      required: ['segments'],
      properties: {
        language: { type: 'string' as const, description: 'Language code' },
        segments: { type: 'array' as const, items: SEGMENT },
      },
    },
    example: {
      language: 'en',
      segments: [{ start: 1, end: 3.5, speaker: 'Ada', text: 'Good morning, shall we begin?' }],
    },
  },
  'text/plain': {
    schema: { type: 'string' as const },
    example: 'Ada  0:01\nGood morning, shall we begin?\n',
  },
  [DOCX_TYPE]: {
    schema: { type: 'string' as const, format: 'binary' },
    example: 'A Word document with the transcript of Microsoft Teams',
  },
  ...FILE_FORM,
};
