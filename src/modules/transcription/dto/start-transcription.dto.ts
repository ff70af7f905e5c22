import { LanguageField } from '../../../platform/http/fields.js';

export class StartTranscriptionDto {
  @LanguageField({
    optional: true,
    description: 'Language that is spoken; told from the sound when left out',
    example: 'en',
  })
  language?: string;
}
