import { EnumProperty } from '../../../platform/openapi/field.decorator.js';
import { CONTENT_STATUSES, type ContentStatus } from '../../../policy/recording-status.js';

export class SummaryWork {
  @EnumProperty({
    values: CONTENT_STATUSES,
    name: 'ContentStatus',
    description: 'State of the summary from now on; it ends `completed` or `failed`',
    example: 'processing',
  })
  status: ContentStatus;
}

export const SUMMARY_ORDERED: SummaryWork = { status: 'processing' };
