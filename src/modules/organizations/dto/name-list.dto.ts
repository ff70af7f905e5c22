import { CursorParameter, replyCursorPage, type PageReply } from '../../../contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../contract/limits.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { TextParameter } from '../../../platform/http/fields/text-fields.js';
import type { Reply } from '../../../platform/openapi/reply.dto.js';
import type { NamePage } from '../name-list.queries.js';

/** Parameters shared by the lists that are ordered by name. */
export class ListByNameDto {
  @TextParameter('Case-insensitive partial match on the name (for members, also on the email address)', {
    ...LIMITS.filter,
    optional: true,
    example: 'a',
  })
  search?: string;

  @IntegerParameter('Maximum number of items per page. Without `limit` and `cursor`, all are returned', {
    min: LIMITS.page.min,
    max: LIMITS.page.max,
    example: 20,
  })
  limit?: number;

  @CursorParameter(
    '`next_cursor` of the previous page, of a request with the same parameters',
    LIMITS.nameCursor,
  )
  cursor?: string;
}

/** The list as a whole, or a page with its `pagination`. */
export function replyPage<Row, Item>(
  { rows, paging }: NamePage<Row>,
  present: (row: Row) => Item,
): Reply<Item[]> & Partial<PageReply<Item>> {
  return paging === null ? { data: rows.map(present) } : replyCursorPage({ rows, ...paging }, present);
}
