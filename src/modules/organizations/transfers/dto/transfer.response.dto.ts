import { ApiSchema } from '@nestjs/swagger';
import { IdProperty, TimestampProperty } from '../../../../platform/openapi/field.decorator.js';

@ApiSchema({ name: 'OrganizationTransfer' })
export class PresentedTransfer {
  @IdProperty('The member it is offered to')
  user_id: string;

  @IdProperty('The `OWNER` who offers it and becomes `ADMIN` when it is accepted')
  from_user_id: string;

  @TimestampProperty('When it was offered')
  created_at: string;

  @TimestampProperty('When it expires')
  expires_at: string;
}
