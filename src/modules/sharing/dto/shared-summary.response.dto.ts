import { OmitType } from '@nestjs/swagger';
import { presentRecordingSummary, SummaryResponse } from '../../summaries/dto/summary.response.dto.js';
import type { SharedContent } from '../visits/share-content.service.js';

export class SharedSummary extends OmitType(SummaryResponse, ['statusReason', 'revision']) {}

export function presentSharedSummary(summary: SharedContent['summary']): SharedSummary {
  const { status, content, topics } = presentRecordingSummary(summary);
  return { status, content, topics };
}
