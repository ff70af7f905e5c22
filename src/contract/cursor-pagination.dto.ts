import { TextParameter } from '../platform/http/fields/text-fields.js';
import type { CursorPage } from '../platform/http/replies/cursor.js';
import type { Reply } from '../platform/openapi/reply.dto.js';
import { BooleanProperty, IntegerProperty, TextProperty } from '../platform/openapi/field.decorator.js';
import { LIMITS } from './limits.js';

const EXAMPLE = 'AAABnBNjScABmYo8Wx58Op8ELRxrfoqQ';

/** The query parameter that carries the `next_cursor` of the previous page. */
export const CursorParameter = (
  description: string,
  limits: { readonly min: number; readonly max: number } = LIMITS.cursor,
): PropertyDecorator => TextParameter(description, { ...limits, optional: true, example: EXAMPLE });

export const NextCursorProperty = (): PropertyDecorator =>
  TextProperty('Send it as `cursor` to get the next page; null on the last page', {
    example: EXAMPLE,
    nullable: true,
  });

export class CursorPagination {
  @IntegerProperty('Maximum number of items per page, as requested', { example: 20 })
  limit: number;

  @BooleanProperty('Whether there are more items after this page', { example: true })
  has_more: boolean;

  @NextCursorProperty()
  next_cursor: string | null;
}

export interface PageReply<Item> extends Reply<Item[]> {
  readonly pagination: CursorPagination;
}

export function replyCursorPage<Row, Item>(
  { rows, limit, hasMore, nextCursor }: CursorPage<Row>,
  present: (row: Row) => Item,
): PageReply<Item> {
  return { data: rows.map(present), pagination: { limit, has_more: hasMore, next_cursor: nextCursor } };
}
