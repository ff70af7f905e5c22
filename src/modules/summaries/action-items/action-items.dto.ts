import { IntersectionType, PickType, ApiSchema } from '@nestjs/swagger';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../contract/limits.js';
import { BooleanParameter, BooleanField } from '../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { TextField, TextParameter } from '../../../platform/http/fields/text-fields.js';
import { ListRecordingsDto } from '../../recordings/list/public/list-recordings.dto.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { DateField } from '../../../platform/http/fields/time-fields.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import {
  IdProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ActionItem, presentActionItem } from '../public/summary.response.dto.js';
import type { ListedActionItem } from './action-items.queries.js';

const DETAIL = { ...LIMITS.actionItemDetail, trim: true, optional: true };

class ActionItemFilters {
  @IntegerParameter('Action items per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, to be sent with the same filters')
  cursor?: string;

  @BooleanParameter('Only those that are done, or only those that are not', { example: false })
  done?: boolean;

  @TextParameter('Only those of this owner; the whole name, in any case', { ...DETAIL, example: 'Grace' })
  owner?: string;
}

export class ListActionItemsDto extends IntersectionType(
  ActionItemFilters,
  PickType(ListRecordingsDto, ['date_from', 'date_to', 'organization_id', 'folder_id']),
) {}

@AtLeastOneField()
export class UpdateActionItemDto {
  @BooleanField('Whether it has been done', { optional: true, example: true })
  done?: boolean;

  @TextField('What is to be done', {
    ...LIMITS.finding,
    trim: true,
    optional: true,
    example: 'Test the backup of the cluster',
  })
  text?: string;

  @TextField('Who is to do it; null: nobody in particular', { ...DETAIL, nullable: true, example: 'Grace' })
  owner?: string | null;

  @TextField('When it is due, in any words; null: not known', {
    ...DETAIL,
    nullable: true,
    example: 'by Thursday',
  })
  due?: string | null;

  @DateField('The day; null: not known. If it is missing, it follows from `due`, where that is clear', {
    optional: true,
    nullable: true,
    example: '2026-02-12',
  })
  dueDate?: string | null;
}

export const UPDATE_ACTION_ITEM_BODIES = {
  done: { summary: 'It is done', value: { done: true } },
  owner: { summary: 'Somebody else does it', value: { owner: 'Grace', due: 'by Thursday' } },
};

class ActionItemRecording {
  @IdProperty('Identifier of the recording', { example: EXAMPLE_IDS.recording })
  id: string;

  @TextProperty('Title of the recording', { example: 'Weekly sync' })
  title: string;

  @TimestampProperty('When the recording was created')
  createdAt: string;
}

@ApiSchema({ name: 'ListedActionItem' })
export class ActionItemDetails extends ActionItem {
  @NestedProperty(() => ActionItemRecording, 'The meeting')
  recording: ActionItemRecording;
}

export function presentListedActionItem(item: ListedActionItem): ActionItemDetails {
  const { recordingId: id, recordingTitle: title, recordingCreatedAt } = item;
  return {
    ...presentActionItem(item),
    recording: { id, title, createdAt: recordingCreatedAt.toISOString() },
  };
}
