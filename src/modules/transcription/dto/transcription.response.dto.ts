import { EnumProperty } from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';

export class TranscriptionWork {
  @EnumProperty({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the transcription from now on; it ends `completed` or `failed`',
    example: 'processing',
  })
  status: ContentStatus;
}

export const TRANSCRIPTION_ORDERED: TranscriptionWork = { status: 'processing' };
