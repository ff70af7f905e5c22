import { ApiSchema, PickType } from '@nestjs/swagger';
import type { DomainError } from '../../../contract/domain-error.js';
import { ErrorDetail } from '../../../contract/error-reply.dto.js';
import { LIMITS } from '../../../contract/limits.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IdsField } from '../../../platform/http/fields/list-fields.js';
import { Alongside } from '../../../platform/http/fields/request-field.js';
import {
  BooleanProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { UpdateRecordingDto } from './update-recording.dto.js';

/** What became of one recording. */
export interface BulkOutcome {
  readonly id: string;
  /** Null if it was done. */
  readonly refusal: DomainError | null;
}

export class BulkRecordingsDto extends PickType(UpdateRecordingDto, ['organization_id', 'folder_id']) {
  @IdsField('Ids of the recordings', { min: 1, max: LIMITS.bulk, example: [EXAMPLE_IDS.recording] })
  ids: string[];

  @Alongside<BulkRecordingsDto>(({ action, organization_id, folder_id }) => {
    const goesSomewhere = organization_id !== undefined || folder_id !== undefined;
    if (action === 'move') return goesSomewhere ? null : 'move requires organization_id, folder_id or both';
    return goesSomewhere ? 'delete takes neither organization_id nor folder_id' : null;
  })
  @ChoiceField('`move` requires `organization_id`, `folder_id` or both; `delete` takes neither', {
    values: ['move', 'delete'],
    name: 'BulkAction',
    example: 'move',
  })
  action: 'move' | 'delete';

  @ChoiceField('`all`: all or nothing; `each`: each recording succeeds or fails on its own', {
    values: ['all', 'each'],
    name: 'BulkMode',
    default: 'all',
    optional: true,
    example: 'each',
  })
  mode: 'all' | 'each' = 'all';
}

export const BULK_RECORDINGS_BODIES = {
  delete: {
    summary: 'Delete as many of the recordings as possible',
    value: { ids: ['01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90'], action: 'delete', mode: 'each' },
  },
  move: {
    summary: 'Move recordings to a folder',
    value: {
      ids: [EXAMPLE_IDS.recording],
      action: 'move',
      folder_id: EXAMPLE_IDS.folder,
    },
  },
};

class BulkRecordingResult {
  @TextProperty('Id of the recording', { example: EXAMPLE_IDS.recording })
  id: string;

  @BooleanProperty('Whether it was moved or deleted', { example: true })
  success: boolean;

  @NestedProperty(() => ErrorDetail, 'Why it was not moved or deleted; null on success', { nullable: true })
  error: ErrorDetail | null;
}

@ApiSchema({ name: 'BulkRecordingsResult' })
export class BulkRecordingsResponse {
  @IntegerProperty('Number of recordings that were moved or deleted', { example: 2 })
  succeeded: number;

  @IntegerProperty('Number of recordings that were not moved or deleted', { example: 0 })
  failed: number;

  @NestedProperty(() => [BulkRecordingResult], 'One result per id, in the order sent')
  results: BulkRecordingResult[];
}

export function presentBulk(outcomes: readonly BulkOutcome[]): BulkRecordingsResponse {
  const results = outcomes.map(({ id, refusal }) => ({
    id,
    success: refusal === null,
    error: refusal && { code: refusal.code, message: refusal.message },
  }));
  const failed = results.filter(({ success }) => !success).length;
  return { succeeded: results.length - failed, failed, results };
}
