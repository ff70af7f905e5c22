import { EnumProperty } from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';
import { LanguageField } from '../../../platform/http/fields.js';

export class StartTranscriptionDto {
  @LanguageField(
    'Spoken language: a code, an English name, or `auto` to detect it; by default, the `language` of the recording, or else the setting `SPEECH_LANGUAGE`',
    { optional: true, example: 'en' },
  )
  language?: string;
}

export class StartedTranscription {
  @EnumProperty('Status of the transcription; becomes `completed` or `failed`', {
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    example: 'processing',
  })
  status: ContentStatus;
}

export const TRANSCRIPTION_STARTED: StartedTranscription = { status: 'processing' };
