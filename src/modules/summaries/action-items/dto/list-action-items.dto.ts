import { IntersectionType, PickType } from '@nestjs/swagger';
import { CursorParameter } from '../../../../contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../../contract/limits.js';
import { BooleanParameter } from '../../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../../platform/http/fields/number-fields.js';
import { TextField } from '../../../../platform/http/fields/text-fields.js';
import { ListRecordingsDto } from '../../../recordings/list/public/list-recordings.dto.js';

class ActionItemFilters {
  @IntegerParameter('Action items per page, 1 to 100', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, to be sent with the same filters')
  cursor?: string;

  @BooleanParameter('Only those that are done, or only those that are not', { example: false })
  done?: boolean;

  @TextField('Only those of this owner; the whole name, in any case', {
    ...LIMITS.actionItemDetail,
    trim: true,
    optional: true,
    example: 'Grace',
  })
  owner?: string;
}

export class ListActionItemsDto extends IntersectionType(
  ActionItemFilters,
  PickType(ListRecordingsDto, ['date_from', 'date_to', 'organization_id', 'folder_id']),
) {}
