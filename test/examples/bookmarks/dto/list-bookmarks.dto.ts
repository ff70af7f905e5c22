import { CursorParameter } from '../../../../src/contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../../src/contract/limits.js';
import { IntegerParameter } from '../../../../src/platform/http/fields.js';

export class ListBookmarksDto {
  @IntegerParameter({ ...LIMITS.page, description: 'Bookmarks on a page, 1 to 100', example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter({ description: 'Goes on after a page: its `next_cursor`' })
  cursor?: string;
}
