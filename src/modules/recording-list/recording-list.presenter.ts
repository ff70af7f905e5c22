import type { RecordingAccess } from '../../policy/recording-access.js';
import { presentListedCapabilities } from '../recording-access/dto/capabilities.response.dto.js';
import type {
  ListPagination,
  Pagination,
  RecordingListItem,
} from './dto/recording-list-item.response.dto.js';
import type { ListedRow } from './entities/listed-recording.sql.js';

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
