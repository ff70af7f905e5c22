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
  presentListedCapabilities,
  LISTED,
  presentReasons,
} from '../../access/public/capabilities.response.dto.js';
import {
  RecordingFields,
  presentPlace,
  type PlacedRow,
} from '../../access/public/recording-fields.response.dto.js';
import type { RecordingAccess } from '../../../../policy/recording-access.js';
import type { Retention } from '../../../../policy/retention.js';
import { presentRetention } from '../../access/public/retention.response.dto.js';
import type { ListedRow } from './listed-recording.sql.js';

export class RecordingListItem extends RecordingFields {
  @NestedProperty(() => RecordingListItemCapabilities, 'What the caller can do with the recording')
  capabilities: RecordingListItemCapabilities;

  @NestedProperty(() => RecordingListItemCapabilityReasons, REASONS_FIELD, {
    example: { canGenerateSummary: { reason: 'scope', plan: null } },
  })
  capabilityReasons: RecordingListItemCapabilityReasons;
}

/** Of the list of recordings and of the search, which count what they find. */
export class RecordingListPagination {
  @IntegerProperty('Number of matching recordings on all pages', { example: 42 })
  total: number;

  @IntegerProperty('Maximum number of recordings per page, as requested', { example: 20 })
  limit: number;

  @IntegerProperty('Number of recordings skipped', { example: 0 })
  offset: number;

  @BooleanProperty('Whether there are more recordings after this page', { example: true })
  has_more: boolean;

  @NextCursorProperty()
  next_cursor: string | null;
}

/** One row of a page with what the caller may do with it. */
export interface PageEntry {
  readonly row: PresentedRow;
  readonly access: RecordingAccess;
  readonly thumbnail: string | null;
  readonly retention: Retention | null;
}

type PresentedRow = PlacedRow & Pick<ListedRow, 'id' | 'status' | 'title' | 'createdAt' | 'progress'>;

export interface RecordingPage {
  readonly recordings: readonly PageEntry[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly nextCursor: string | null;
}

export function presentRecordingListItem({
  row,
  access,
  thumbnail,
  retention,
}: PageEntry): RecordingListItem {
  return {
    id: row.id,
    status: row.status,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    thumbnailUrl: thumbnail,
    progress: row.progress,
    ...presentPlace(row),
    ...presentRetention(retention),
    media: access.media,
    capabilities: presentListedCapabilities(access.capabilities),
    capabilityReasons: presentReasons(access.reasons, LISTED),
  };
}

/** Whether paging is by offset or by cursor, `has_more` and `next_cursor` agree. */
export function presentPage({ recordings, total, limit, offset, nextCursor }: RecordingPage): {
  data: RecordingListItem[];
  pagination: RecordingListPagination;
} {
  return {
    data: recordings.map(presentRecordingListItem),
    pagination: { total, limit, offset, has_more: nextCursor !== null, next_cursor: nextCursor },
  };
}
