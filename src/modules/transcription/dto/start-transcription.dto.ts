import { LanguageField } from '../../../platform/http/fields.js';

export class StartTranscriptionDto {
  @LanguageField({
    optional: true,
    description: 'Spoken language; by default, the setting `SPEECH_LANGUAGE`',
    example: 'en',
  })
  language?: string;
}
