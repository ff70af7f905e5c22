import { ApiSchema, OmitType } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { PLANS, SUBSCRIPTION_STATUSES, type Plan, type SubscriptionStatus } from '../../../policy/plans.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { presentQuotas, QuotaSet } from '../../quotas/public/quotas.response.dto.js';
import type { OrganizationDetails, OrganizationOfCaller } from '../organizations.service.js';
import { PresentedTransfer, presentTransfer } from './transfer.dto.js';
import { OrganizationBranding } from './branding.dto.js';
import { OrganizationFeatures } from '../public/feature-flags.dto.js';
import { present } from '../../../contract/present.js';
import { ExternalProperties } from '../../../contract/external-ids.js';

@ApiSchema({ name: 'Organization' })
export class ListedOrganization extends ExternalProperties {
  @IdProperty('Identifier of the organization')
  id: string;

  @TextProperty('Name', { example: 'Acme' })
  name: string;

  @EnumProperty("The caller's role", { values: ROLES, name: 'OrganizationRole', example: 'EDITOR' })
  role: Role;

  @IntegerProperty('Number of members', { example: 12 })
  member_count: number;

  @NestedProperty(
    () => QuotaSet,
    "Use and limits of the organization's plan; null for members who may not see all of its recordings (`EDITOR`, `VIEWER`), and for API keys that are limited to folders",
    { nullable: true },
  )
  quotas: QuotaSet | null;
}

export class OrganizationSubscription {
  @EnumProperty('`active`, `trialing` and `past_due` count as active until the end date has passed', {
    values: SUBSCRIPTION_STATUSES,
    name: 'SubscriptionStatus',
    example: 'active',
  })
  status: SubscriptionStatus;

  @TimestampProperty('When it ends; null: never', { nullable: true, example: '2027-01-31T00:00:00.000Z' })
  ends_at: string | null;
}

@ApiSchema({ name: 'OrganizationDetail' })
export class PresentedOrganization extends OmitType(ListedOrganization, ['role']) {
  @TextProperty(`The caller's role (${ROLES.join(', ')}); null for operators who are not members`, {
    example: 'OWNER',
    nullable: true,
  })
  role: Role | null;

  @NestedProperty(
    () => OrganizationFeatures,
    'A feature must also be part of the plan and enabled for the member',
  )
  features: OrganizationFeatures;

  @BooleanProperty(
    'Whether every member may move their own recordings out of the organization; otherwise only `OWNER` and `ADMIN` may',
    { example: false },
  )
  members_may_take_recordings: boolean;

  @IntegerProperty(
    'In how many days after their creation API keys must expire to be accepted; null: keys may work for any time',
    { nullable: true, example: 90 },
  )
  api_key_max_days: number | null;

  @IntegerProperty(
    'For how many days deleted recordings can be restored; 0: they are deleted at once. Null: as the service has it (`BIN_DAYS`)',
    { nullable: true, example: 30 },
  )
  bin_days: number | null;

  @BooleanProperty(
    'Whether the voices of speakers are kept, so that those who have been named are suggested in later meetings',
    { example: false },
  )
  remember_voices: boolean;

  @TextProperty(
    'Name of the identity provider with which members have to sign in: other sessions, and API keys that were not made in such a session, do not reach the organization. Null: any',
    { nullable: true, example: null },
  )
  sso_provider: string | null;

  @StringListProperty(
    'The `client_id` of the OAuth clients that reach the organization for members who have connected them; null: any',
    { nullable: true, example: null },
  )
  oauth_clients: readonly string[] | null;

  @NestedProperty(() => OrganizationBranding, 'What its share pages look like')
  branding: OrganizationBranding;

  @EnumProperty('Plan of its recordings', { values: PLANS, name: 'OrganizationPlan', example: 'PRO' })
  plan: Plan;

  @NestedProperty(() => OrganizationSubscription, 'Subscription to the plan')
  subscription: OrganizationSubscription;

  @NestedProperty(
    () => PresentedTransfer,
    'The pending transfer of ownership; null if there is none or the caller can neither accept nor cancel it',
    { nullable: true },
  )
  transfer: PresentedTransfer | null;

  @TimestampProperty('When it was created')
  created_at: string;
}

export const presentOrganization = (organization: OrganizationOfCaller): ListedOrganization =>
  present(ListedOrganization, {
    ...organization,
    quotas: organization.quotas && presentQuotas(organization.quotas),
  });

export const presentOrganizationDetails = (details: OrganizationDetails): PresentedOrganization =>
  present(PresentedOrganization, {
    ...details,
    quotas: details.quotas && presentQuotas(details.quotas),
    subscription: { status: details.subscriptionStatus, endsAt: details.subscriptionEndsAt },
    transfer: details.transfer && presentTransfer(details.transfer),
  });
