import { TextField } from '../platform/http/fields.js';
import type { CursorPage } from '../platform/http/cursor.js';
import { BooleanProperty, IntegerProperty, TextProperty } from '../platform/openapi/field.decorator.js';

const EXAMPLE = 'AAABnBNjScABmYo8Wx58Op8ELRxrfoqQ';

/** What a page gave as `next_cursor`, in the query of the next one. */
export const CursorParameter = (options: { readonly description: string }): PropertyDecorator =>
  TextField({ ...options, min: 1, max: 100, optional: true, example: EXAMPLE });

export const NextCursorProperty = (): PropertyDecorator =>
  TextProperty({
    description: 'Hand it back as `cursor` for the next page; null on the last one',
    example: EXAMPLE,
    nullable: true,
  });

/** Of a list that is paged by cursor alone. */
export class CursorPagination {
  @IntegerProperty({ description: 'Items asked for on this page', example: 20 })
  limit: number;

  @BooleanProperty({ description: 'Whether more follow after this page', example: true })
  has_more: boolean;

  @NextCursorProperty()
  next_cursor: string | null;
}

export function presentCursorPagination(page: CursorPage<unknown>): CursorPagination {
  const { limit, hasMore, nextCursor } = page;
  return { limit, has_more: hasMore, next_cursor: nextCursor };
}
