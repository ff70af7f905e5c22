import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { present } from '../../../contract/present.js';
import { isAfter } from '../../../platform/clock/timestamps.js';
import { Alongside } from '../../../platform/http/fields/request-field.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IdsField } from '../../../platform/http/fields/list-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';
import {
  EnumProperty,
  IdProperty,
  IntegerProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { HOLD_LIMITS } from './legal-hold-limits.js';
import type { CountedHold } from './legal-holds.queries.js';

export const HOLD_STATUSES = ['active', 'lifted'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

const MATTER = 'Case 24/117';
const REASON = 'Letter of the court of 12 January';

export class PlaceLegalHoldDto {
  @IdParameter('The organization, of an `OWNER`; without it, operators only', {
    optional: true,
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;

  @TextField('Name of the matter, which refusals name', {
    ...HOLD_LIMITS.matter,
    trim: true,
    example: MATTER,
  })
  matter: string;

  @TextField('Why they are held', { ...HOLD_LIMITS.reason, example: REASON })
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
  @TimestampField('Only of meetings since then', { optional: true, example: '2026-01-01' })
  from?: string;

  @TimestampField('Only of meetings until then; a date includes the whole day (UTC)', {
    optional: true,
    example: '2026-03-31',
  })
  to?: string;
}

export class LiftLegalHoldDto {
  @TextField('Why it is lifted', { ...HOLD_LIMITS.reason, example: 'The case is closed' })
  reason: string;
}

export class ListLegalHoldsDto {
  @IdParameter('Only those of this organization', { optional: true, example: EXAMPLE_IDS.organization })
  organization_id?: string;

  @ChoiceField('Only those that are active, or lifted', {
    values: HOLD_STATUSES,
    name: 'LegalHoldStatus',
    optional: true,
    example: 'active',
  })
  status?: HoldStatus;

  @IntegerParameter('Maximum number of holds per page', { ...HOLD_LIMITS.page, example: 10 })
  limit: number = HOLD_LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, of a request with the same parameters')
  cursor?: string;
}

export class PresentedLegalHold {
  @IdProperty('Identifier of the hold')
  id: string;

  @IdProperty('The organization; null: of the operators', { nullable: true })
  organization_id: string | null;

  @EnumProperty('Whether it still holds', {
    values: HOLD_STATUSES,
    name: 'LegalHoldStatus',
    example: 'active',
  })
  status: HoldStatus;

  @TextProperty('Name of the matter', { example: MATTER })
  matter: string;

  @TextProperty('Why it was placed', { example: REASON })
  reason: string;

  @StringListProperty('The recordings that it names', { example: [EXAMPLE_IDS.recording] })
  recording_ids: readonly string[];

  @StringListProperty('The folders that it names', { example: [] })
  folder_ids: readonly string[];

  @StringListProperty('The people that it names', { example: [] })
  user_ids: readonly string[];

  @TimestampProperty('Beginning of its period; null: since ever', { nullable: true })
  from: string | null;

  @TimestampProperty('End of its period; null: none', { nullable: true, example: null })
  to: string | null;

  @IntegerProperty('Recordings that it holds, those in the bin included; 0 once it is lifted', {
    example: 12,
  })
  recordings: number;

  @IntegerProperty('What these store, in bytes', { example: 73_400_320 })
  bytes: number;

  @TimestampProperty('When it was placed')
  created_at: string;

  @IdProperty('Who placed it; null once they have been deleted', { nullable: true })
  created_by: string | null;

  @TimestampProperty('When it was lifted; null while it holds', { nullable: true, example: null })
  lifted_at: string | null;

  @IdProperty('Who lifted it; null while it holds, and once they have been deleted', { nullable: true })
  lifted_by: string | null;

  @TextProperty('Why it was lifted; null while it holds', { nullable: true, example: null })
  lift_reason: string | null;
}

export const presentLegalHold = ({ fromAt: from, toAt: to, ...hold }: CountedHold): PresentedLegalHold =>
  present(PresentedLegalHold, { ...hold, from, to, status: hold.liftedAt === null ? 'active' : 'lifted' });
