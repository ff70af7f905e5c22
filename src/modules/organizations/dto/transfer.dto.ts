import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { present } from '../../../contract/present.js';
import { IdParameter } from '../../../platform/http/fields/text-fields.js';
import { IdProperty, TimestampProperty } from '../../../platform/openapi/field.decorator.js';
import type { PendingTransfer } from '../organizations.service.js';

export class OfferTransferDto {
  @IdParameter('The member who is to become `OWNER`', { example: EXAMPLE_IDS.member })
  user_id: string;
}

@ApiSchema({ name: 'OrganizationTransfer' })
export class PresentedTransfer {
  @IdProperty('The member it is offered to', { example: EXAMPLE_IDS.member })
  user_id: string;

  @IdProperty('The `OWNER` who offers it and becomes `ADMIN` when it is accepted')
  from_user_id: string;

  @TimestampProperty('When it was offered')
  created_at: string;

  @TimestampProperty('When it expires', { example: '2026-02-07T09:30:00.000Z' })
  expires_at: string;
}

export const presentTransfer = (transfer: PendingTransfer): PresentedTransfer =>
  present(PresentedTransfer, { ...transfer, userId: transfer.toUserId });
