import { present } from '../../../../src/contract/present.js';
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

export const presentBookmark = (bookmark: Bookmark): BookmarkDetails => present(BookmarkDetails, bookmark);
