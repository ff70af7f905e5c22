import { ChoiceField, LanguageField } from '../../../platform/http/fields.js';

export class SendTranscriptDto {
  @LanguageField({
    optional: true,
    description:
      'Language of the transcript. Defaults to what the file says, and otherwise to what is detected from the text',
    example: 'en',
  })
  language?: string;

  @ChoiceField({
    values: ['true', 'false'],
    optional: true,
    default: 'false',
    description: 'Whether to take what can be read of a file that is broken in places',
    example: 'false',
  })
  lenient?: 'true' | 'false';
}

const SEGMENT = {
  type: 'object' as const,
  required: ['start', 'end', 'text'],
  properties: {
    start: { type: 'number' as const, minimum: 0, description: 'Seconds' },
    end: { type: 'number' as const, minimum: 0, description: 'Seconds' },
    text: { type: 'string' as const },
    speaker: { type: 'string' as const },
    confidence: { type: 'number' as const, minimum: 0, maximum: 1 },
  },
};

/** The bodies, in the API document. */
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
      type: 'object' as const,
      required: ['segments'],
      properties: {
        language: { type: 'string' as const },
        segments: { type: 'array' as const, items: SEGMENT },
      },
    },
    example: {
      language: 'en',
      segments: [{ start: 1, end: 3.5, speaker: 'Ada', text: 'Good morning, shall we begin?' }],
    },
  },
};
