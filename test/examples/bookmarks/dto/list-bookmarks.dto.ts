import { CursorParameter } from '../../../../src/contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../../src/contract/limits.js';
import { IntegerParameter } from '../../../../src/platform/http/fields/number-fields.js';

export class ListBookmarksDto {
  @IntegerParameter('Bookmarks per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('The `next_cursor` of the previous page')
  cursor?: string;
}
