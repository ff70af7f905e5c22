import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { present } from '../../../contract/present.js';
import { isAfter } from '../../../platform/clock/timestamps.js';
import { Alongside } from '../../../platform/http/fields/request-field.js';
import { IdsField } from '../../../platform/http/fields/list-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';
import {
  IdProperty,
  IntegerProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { HOLD_LIMITS } from './legal-hold-limits.js';
import type { CountedHold } from './legal-holds.queries.js';

const MATTER = 'Case 24/117';
const REASON = 'Letter of the court of 12 January';

export class PlaceLegalHoldDto {
  @IdParameter('The organization; operators may leave it out', {
    optional: true,
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;

  @TextField('Name of the matter, which refusals quote', {
    ...HOLD_LIMITS.matter,
    trim: true,
    example: MATTER,
  })
  matter: string;

  @TextField('Why the recordings must be kept', { ...HOLD_LIMITS.reason, example: REASON })
  reason: string;

  @IdsField('Recordings', { ...HOLD_LIMITS.ids, optional: true, example: [EXAMPLE_IDS.recording] })
  recording_ids?: string[];

  @IdsField('Folders, whose recordings are held', {
    ...HOLD_LIMITS.ids,
    optional: true,
    example: [EXAMPLE_IDS.folder],
  })
  folder_ids?: string[];

  @IdsField('People and service accounts, whose recordings are held', {
    ...HOLD_LIMITS.ids,
    optional: true,
    example: [EXAMPLE_IDS.member],
  })
  user_ids?: string[];

  @Alongside<PlaceLegalHoldDto>(({ from, to }) => (isAfter(from, to) ? 'must not be after to' : null))
  @TimestampField('Only meetings that started at this time or later', {
    optional: true,
    example: '2026-01-01',
  })
  from?: string;

  @TimestampField('Only meetings that started until this time; a date includes the whole day (UTC)', {
    optional: true,
    example: '2026-03-31',
  })
  to?: string;
}

export class ListLegalHoldsDto {
  @IdParameter('Only those of this organization', { optional: true, example: EXAMPLE_IDS.organization })
  organization_id?: string;

  @IntegerParameter('Maximum number of holds per page', { ...HOLD_LIMITS.page, example: 10 })
  limit: number = HOLD_LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, of a request with the same parameters')
  cursor?: string;
}

export class PresentedLegalHold {
  @IdProperty('Identifier of the hold')
  id: string;

  @IdProperty('The organization; null for a hold that an operator placed without one', { nullable: true })
  organization_id: string | null;

  @TextProperty('Name of the matter', { example: MATTER })
  matter: string;

  @TextProperty('Why the recordings must be kept', { example: REASON })
  reason: string;

  @StringListProperty('Recordings that it names', { example: [EXAMPLE_IDS.recording] })
  recording_ids: readonly string[];

  @StringListProperty('Folders that it names', { example: [] })
  folder_ids: readonly string[];

  @StringListProperty('People that it names', { example: [] })
  user_ids: readonly string[];

  @TimestampProperty('Start of its period; null: none', { nullable: true })
  from: string | null;

  @TimestampProperty('End of its period; null: none', { nullable: true, example: null })
  to: string | null;

  @IntegerProperty('Recordings that it holds, those in the bin included; 0 once it is lifted', {
    example: 12,
  })
  recordings: number;

  @IntegerProperty('Bytes that these store', { example: 73_400_320 })
  bytes: number;

  @TimestampProperty('When it was placed')
  created_at: string;

  @TimestampProperty('When it was lifted; null while it is active', { nullable: true, example: null })
  lifted_at: string | null;
}

export const presentLegalHold = ({ fromAt: from, toAt: to, ...hold }: CountedHold): PresentedLegalHold =>
  present(PresentedLegalHold, { ...hold, from, to });
