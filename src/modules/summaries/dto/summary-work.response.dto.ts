import { EnumProperty } from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';

export class StartedSummary {
  @EnumProperty({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'Status of the summary; becomes `completed` or `failed`',
    example: 'processing',
  })
  status: ContentStatus;
}

export const SUMMARY_STARTED: StartedSummary = { status: 'processing' };
