import { Flag, Nested, Text, Whole } from '../../../platform/openapi/field.decorator.js';
import type { RecordingAccess } from '../../../policy/recording-access.js';
import type { ListedRow } from '../recording-list.repository.js';
import { ListedCapabilities, presentListedCapabilities } from './capabilities.dto.js';
import { RecordingFields } from './recording-fields.dto.js';

export class RecordingListItem extends RecordingFields {
  @Nested(() => ListedCapabilities, { description: 'What the caller can do with it' })
  capabilities: ListedCapabilities;
}

export class Pagination {
  @Whole({ description: 'Recordings that match, on all pages', example: 42 })
  total: number;

  @Whole({ description: 'Recordings asked for on this page', example: 20 })
  limit: number;

  @Whole({ description: 'Recordings skipped', example: 0 })
  offset: number;

  @Flag({ description: 'Whether more follow after this page', example: true })
  has_more: boolean;
}

export class ListPagination extends Pagination {
  @Text({
    description: 'Hand it back as `cursor` for the next page; null on the last one',
    example: 'AAABnBNjScABmYo8Wx58Op8ELRxrfoqQ',
    nullable: true,
  })
  next_cursor: string | null;
}

export interface ListedRecording {
  readonly row: ListedRow;
  readonly access: RecordingAccess;
  readonly thumbnail: string | null;
}

export interface RecordingPage {
  readonly recordings: readonly ListedRecording[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface RecordingListPage extends RecordingPage {
  readonly nextCursor: string | null;
}

function presentListItem({ row, access, thumbnail }: ListedRecording): RecordingListItem {
  return {
    id: row.id,
    status: row.status,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    thumbnailUrl: thumbnail,
    progress: row.progress,
    capabilities: presentListedCapabilities(access.capabilities),
  };
}

export function presentPage(page: RecordingPage): { data: RecordingListItem[]; pagination: Pagination } {
  const { recordings, total, limit, offset } = page;
  return {
    data: recordings.map(presentListItem),
    pagination: { total, limit, offset, has_more: offset + recordings.length < total },
  };
}

/** By offset or by cursor: `has_more` and `next_cursor` say the same. */
export function presentListPage(page: RecordingListPage): {
  data: RecordingListItem[];
  pagination: ListPagination;
} {
  const { data, pagination } = presentPage(page);
  const { nextCursor } = page;
  return { data, pagination: { ...pagination, has_more: nextCursor !== null, next_cursor: nextCursor } };
}
