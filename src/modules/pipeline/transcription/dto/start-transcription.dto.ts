import { LanguageField } from '../../../../platform/http/fields/text-fields.js';

export class StartTranscriptionDto {
  @LanguageField(
    'Spoken language: a code, an English name, or `auto` to detect it; by default, the `language` of the recording, or else the setting `SPEECH_LANGUAGE`',
    { optional: true, example: 'en' },
  )
  language?: string;
}
