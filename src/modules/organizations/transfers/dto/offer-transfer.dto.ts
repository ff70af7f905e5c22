import { EXAMPLE_IDS } from '../../../../contract/example-ids.js';
import { IdParameter } from '../../../../platform/http/fields/text-fields.js';

export class OfferTransferDto {
  @IdParameter('The member who is to become `OWNER`', { example: EXAMPLE_IDS.member })
  user_id: string;
}
