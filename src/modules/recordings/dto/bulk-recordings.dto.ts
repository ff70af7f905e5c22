import { ApiSchema } from '@nestjs/swagger';
import { z } from '../../../platform/zod.js';
import { ErrorDetail } from '../../../contract/error-reply.dto.js';
import { LIMITS } from '../../../contract/limits.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { lookupId, lookupIds, objectOf, oneOf } from '../../../platform/http/body-schemas.js';
import {
  BooleanProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { BulkOutcome } from '../bulk/bulk-recordings.service.js';

const ids = lookupIds(LIMITS.bulk, 1).meta({ description: 'Ids of 1 to 1,000 recordings' });

const mode = oneOf(['all', 'each']).default('all').meta({
  description: '`all`: all or nothing; `each`: each recording succeeds or fails on its own',
});

const MOVE_FIELDS = ['ids', 'action', 'mode', 'organization_id', 'folder_id'] as const;
const DELETE_FIELDS = ['ids', 'action', 'mode'] as const;

const move = z
  .strictObject(
    {
      ids,
      action: z.literal('move'),
      mode,
      organization_id: lookupId().nullable().optional().meta({
        description: 'The organization they are moved to; null makes them personal (owner only)',
      }),
      folder_id: lookupId().nullable().optional().meta({
        description: 'The folder they are moved to; null removes them from their folder',
      }),
    },
    { error: objectOf(MOVE_FIELDS) },
  )
  .refine(({ organization_id: to, folder_id: folder }) => to !== undefined || folder !== undefined, {
    error: 'must have at least one of organization_id, folder_id',
  });

const remove = z.strictObject({ ids, action: z.literal('delete'), mode }, { error: objectOf(DELETE_FIELDS) });

export const BULK_RECORDINGS = z
  .discriminatedUnion('action', [move, remove], { error: bulkError })
  .meta({ title: 'BulkRecordingsRequest' });
export type BulkRecordings = z.output<typeof BULK_RECORDINGS>;

function bulkError({ code }: { readonly code?: string }): string | undefined {
  if (code === 'invalid_union') return 'must be one of move, delete';
  return code === 'invalid_type' ? `must be an object with ids and action` : undefined;
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

export class BulkRecordingResult {
  @TextProperty({ description: 'Id of the recording', example: EXAMPLE_IDS.recording })
  id: string;

  @BooleanProperty({ description: 'Whether it was moved or deleted', example: true })
  success: boolean;

  @NestedProperty(() => ErrorDetail, {
    description: 'Why it was not moved or deleted; null on success',
    nullable: true,
  })
  error: ErrorDetail | null;
}

@ApiSchema({ name: 'BulkRecordingsResult' })
export class BulkRecordingsResponse {
  @IntegerProperty({ description: 'Number of recordings that were moved or deleted', example: 2 })
  succeeded: number;

  @IntegerProperty({ description: 'Number of recordings that were not moved or deleted', example: 0 })
  failed: number;

  @NestedProperty(() => [BulkRecordingResult], { description: 'One result per id, in the order sent' })
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
