import { ApiSchema } from '@nestjs/swagger';
import {
  IdProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
  UrlProperty,
} from '../../../platform/openapi/field.decorator.js';
import { SUCCESS, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import { present } from '../../../contract/present.js';

/** A webhook of an organization, disabled because the member responsible for it no longer manages the organization. */
export interface DisabledWebhook {
  readonly id: string;
  readonly organizationId: string;
  /** Scheme and host. */
  readonly url: string;
  readonly description: string | null;
}

/** What a member has set up and does not go on without them. */
export interface LeftBehind {
  readonly disabledWebhooks: readonly DisabledWebhook[];
  readonly endedShareLinks: number;
  readonly endedInvitations: number;
}

@ApiSchema({ name: 'DisabledWebhook' })
export class PresentedDisabledWebhook {
  @IdProperty('Identifier of the webhook')
  id: string;

  @IdProperty('The organization it belongs to')
  organization_id: string;

  @UrlProperty('Scheme and host of the receiver', { example: 'https://hooks.example.com/...' })
  url: string;

  @TextProperty('What it is for; null if not given', { example: 'CRM', nullable: true })
  description: string | null;
}

export const DISABLED_WEBHOOKS =
  'Webhooks of organizations that the member was responsible for and that are now disabled (`creator_left`). An `OWNER` or `ADMIN` who enables one is responsible for it from then on';

@ApiSchema({ name: 'RemovedMember' })
export class PresentedDeparture extends SuccessReply {
  @NestedProperty(() => [PresentedDisabledWebhook], DISABLED_WEBHOOKS)
  disabled_webhooks: PresentedDisabledWebhook[];

  @IntegerProperty('Share links of organizations that have ended with the membership', { example: 3 })
  ended_share_links: number;

  @IntegerProperty('Pending invitations that have ended with the membership', { example: 0 })
  ended_invitations: number;
}

export const presentDeparture = (left: LeftBehind): PresentedDeparture =>
  present(PresentedDeparture, { ...left, ...SUCCESS });
