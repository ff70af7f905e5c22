import { NextCursorProperty } from '../../../../contract/cursor-pagination.dto.js';
import {
  BooleanProperty,
  IntegerProperty,
  NestedProperty,
} from '../../../../platform/openapi/field.decorator.js';
import {
  RecordingListItemCapabilities,
  REASONS_FIELD,
  RecordingListItemCapabilityReasons,
} from '../../access/public/capabilities.response.dto.js';
import { RecordingFields } from '../../access/public/recording-fields.response.dto.js';

export class RecordingListItem extends RecordingFields {
  @NestedProperty(() => RecordingListItemCapabilities, 'What the caller can do with the recording')
  capabilities: RecordingListItemCapabilities;

  @NestedProperty(() => RecordingListItemCapabilityReasons, REASONS_FIELD, {
    example: { canGenerateSummary: { reason: 'scope', plan: null } },
  })
  capabilityReasons: RecordingListItemCapabilityReasons;
}

export class Pagination {
  @IntegerProperty('Number of matching recordings on all pages', { example: 42 })
  total: number;

  @IntegerProperty('Maximum number of recordings per page, as requested', { example: 20 })
  limit: number;

  @IntegerProperty('Number of recordings skipped', { example: 0 })
  offset: number;

  @BooleanProperty('Whether there are more recordings after this page', { example: true })
  has_more: boolean;
}

export class RecordingListPagination extends Pagination {
  @NextCursorProperty()
  next_cursor: string | null;
}
