import { CursorParameter } from '../../../../src/contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../../src/contract/limits.js';
import { IntegerParameter } from '../../../../src/platform/http/fields.js';

export class ListBookmarksDto {
  @IntegerParameter({ ...LIMITS.page, description: 'Bookmarks per page, 1 to 100', example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter({ description: 'The `next_cursor` of the previous page' })
  cursor?: string;
}
