import { ApiSchema, OmitType } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { PLANS, SUBSCRIPTION_STATUSES, type Plan, type SubscriptionStatus } from '../../../policy/plans.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { presentQuotas, QuotaSet } from '../../quotas/public/quotas.response.dto.js';
import type { OrganizationDetails, OrganizationOfCaller } from '../organizations.service.js';
import { OrganizationFeatures } from '../public/feature-flags.response.dto.js';
import { PresentedTransfer, presentTransfer } from '../transfers/dto/transfer.response.dto.js';
import { present } from '../../../contract/present.js';

@ApiSchema({ name: 'Organization' })
export class ListedOrganization {
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

  @TimestampProperty('When it ends; null: no end date', {
    nullable: true,
    example: '2027-01-31T00:00:00.000Z',
  })
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
    'Feature flags of the organization; a feature must also be part of the plan and enabled for the member',
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

  @EnumProperty("Plan, which applies to the organization's recordings", {
    values: PLANS,
    name: 'OrganizationPlan',
    example: 'PRO',
  })
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

export function presentOrganizationDetails(details: OrganizationDetails): PresentedOrganization {
  const { id, name, role, memberCount, quotas, features, plan, transfer } = details;
  const { downloads, sharing, transcription, summaries, questions } = features;
  return {
    id,
    name,
    role,
    member_count: memberCount,
    quotas: quotas && presentQuotas(quotas),
    features: { downloads, sharing, transcription, summaries, questions },
    members_may_take_recordings: details.membersMayTakeRecordings,
    api_key_max_days: details.apiKeyMaxDays,
    plan,
    subscription: {
      status: details.subscriptionStatus,
      ends_at: details.subscriptionEndsAt?.toISOString() ?? null,
    },
    transfer: transfer && presentTransfer(transfer),
    created_at: details.createdAt.toISOString(),
  };
}
