import {
  presentCursorPagination,
  type CursorPagination,
} from '../../../../src/contract/cursor-pagination.dto.js';
import type { CursorPage } from '../../../../src/platform/http/replies/cursor.js';
import {
  DecimalProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
} from '../../../../src/platform/openapi/field.decorator.js';
import type { Bookmark } from '../entities/bookmark.entity.js';

export class BookmarkDetails {
  @IdProperty('Identifier of the bookmark')
  id: string;

  @DecimalProperty('Seconds from the start of the recording', { example: 754.5 })
  at: number;

  @TextProperty('What happens at this moment', { example: 'Decision on the budget' })
  label: string;

  @IdProperty('The user who added it')
  createdBy: string;

  @TimestampProperty('When the bookmark was created')
  createdAt: string;
}

export function presentBookmark({ id, at, label, createdBy, createdAt }: Bookmark): BookmarkDetails {
  return { id, at, label, createdBy, createdAt: createdAt.toISOString() };
}

export function presentBookmarkPage(page: CursorPage<Bookmark>): {
  data: BookmarkDetails[];
  pagination: CursorPagination;
} {
  return { data: page.rows.map(presentBookmark), pagination: presentCursorPagination(page) };
}
