import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../../../contract/example-ids.js';
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
