import { ApiSchema } from '@nestjs/swagger';
import {
  presentCursorPagination,
  type CursorPagination,
} from '../../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../../contract/example-ids.js';
import type { CursorPage } from '../../../../platform/http/replies/cursor.js';
import {
  IdProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../../platform/openapi/field.decorator.js';
import { ActionItem, presentActionItem } from '../../public/summary.response.dto.js';
import type { ListedActionItem } from '../action-items.queries.js';

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

export function presentActionItemPage(page: CursorPage<ListedActionItem>): {
  data: ActionItemDetails[];
  pagination: CursorPagination;
} {
  return { data: page.rows.map(presentListedActionItem), pagination: presentCursorPagination(page) };
}
