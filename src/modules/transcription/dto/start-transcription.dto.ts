import { LanguageField } from '../../../platform/http/fields.js';

export class StartTranscriptionDto {
  @LanguageField({
    optional: true,
    description: 'Spoken language; by default, detected from the audio',
    example: 'en',
  })
  language?: string;
}
