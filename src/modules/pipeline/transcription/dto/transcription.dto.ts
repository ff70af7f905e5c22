import { ContentStatusProperty } from '../../../recordings/access/public/recording-fields.response.dto.js';
import type { ShownStatus } from '../../../../policy/recording-status.js';
import { LanguageField } from '../../../../platform/http/fields/text-fields.js';

export class StartedTranscription {
  @ContentStatusProperty('Status of the transcription; becomes `completed` or `failed`', 'processing')
  status: ShownStatus;
}

export const TRANSCRIPTION_STARTED: StartedTranscription = { status: 'processing' };

export class StartTranscriptionDto {
  @LanguageField(
    'Spoken language: a code, an English name, or `auto` to detect it; by default, the `language` of the recording, or else the setting `SPEECH_LANGUAGE`',
    { optional: true, example: 'en' },
  )
  language?: string;
}
