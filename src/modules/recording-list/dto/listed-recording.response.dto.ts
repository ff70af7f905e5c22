import { NextCursorProperty } from '../../../contract/cursor-pagination.dto.js';
import {
  BooleanProperty,
  IntegerProperty,
  NestedProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ListedCapabilities } from '../../recording-access/dto/capabilities.response.dto.js';
import { RecordingFields } from '../../recording-access/dto/recording-fields.response.dto.js';

export class ListedRecording extends RecordingFields {
  @NestedProperty(() => ListedCapabilities, { description: 'What the caller can do with it' })
  capabilities: ListedCapabilities;
}

export class Pagination {
  @IntegerProperty({ description: 'Recordings that match, on all pages', example: 42 })
  total: number;

  @IntegerProperty({ description: 'Recordings asked for on this page', example: 20 })
  limit: number;

  @IntegerProperty({ description: 'Recordings skipped', example: 0 })
  offset: number;

  @BooleanProperty({ description: 'Whether more follow after this page', example: true })
  has_more: boolean;
}

export class ListPagination extends Pagination {
  @NextCursorProperty()
  next_cursor: string | null;
}
