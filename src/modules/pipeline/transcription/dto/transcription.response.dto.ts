import { EnumProperty } from '../../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../../policy/recording-status.js';

export class StartedTranscription {
  @EnumProperty('Status of the transcription; becomes `completed` or `failed`', {
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    example: 'processing',
  })
  status: ContentStatus;
}

export const TRANSCRIPTION_STARTED: StartedTranscription = { status: 'processing' };
