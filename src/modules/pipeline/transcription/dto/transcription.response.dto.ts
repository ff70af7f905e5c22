import { EnumProperty } from '../../../../platform/openapi/field.decorator.js';
import { SHOWN_STATUSES, type ShownStatus } from '../../../../policy/recording-status.js';

export class StartedTranscription {
  @EnumProperty('Status of the transcription; becomes `completed` or `failed`', {
    values: SHOWN_STATUSES,
    name: 'ContentStatus',
    example: 'processing',
  })
  status: ShownStatus;
}

export const TRANSCRIPTION_STARTED: StartedTranscription = { status: 'processing' };
