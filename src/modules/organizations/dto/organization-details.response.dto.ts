import { ApiSchema } from '@nestjs/swagger';
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
import { presentQuotas, QuotaSet } from '../../quotas/dto/quotas.response.dto.js';
import type { OrganizationDetails, PendingTransfer } from '../organization-details.service.js';

export class OrganizationFeatures {
  @BooleanProperty({ description: 'Downloading the video', example: true })
  downloads: boolean;

  @BooleanProperty({ description: 'Creating share links', example: true })
  sharing: boolean;

  @BooleanProperty({ description: 'Transcribing, and reading transcripts', example: true })
  transcription: boolean;

  @BooleanProperty({ description: 'Generating and reading summaries', example: true })
  summaries: boolean;

  @BooleanProperty({ description: 'Asking questions', example: true })
  questions: boolean;
}

export class OrganizationSubscription {
  @EnumProperty({
    values: SUBSCRIPTION_STATUSES,
    name: 'SubscriptionStatus',
    description: '`active`, `trialing` and `past_due` count as active until the end date has passed',
    example: 'active',
  })
  status: SubscriptionStatus;

  @TimestampProperty({ description: 'When it ends; null: no end date', nullable: true })
  ends_at: string | null;
}

@ApiSchema({ name: 'OrganizationTransfer' })
export class PresentedTransfer {
  @IdProperty({ description: 'The member it is offered to' })
  user_id: string;

  @IdProperty({ description: 'The `OWNER` who offers it and becomes `ADMIN` when it is accepted' })
  from_user_id: string;

  @TimestampProperty({ description: 'When it was offered' })
  created_at: string;

  @TimestampProperty({ description: 'When it expires' })
  expires_at: string;
}

@ApiSchema({ name: 'OrganizationDetail' })
export class PresentedOrganization {
  @IdProperty({ description: 'Identifier of the organization' })
  id: string;

  @TextProperty({ description: 'Name', example: 'Acme' })
  name: string;

  @TextProperty({
    description: `The caller's role (${ROLES.join(', ')}); null for operators who are not members`,
    example: 'OWNER',
    nullable: true,
  })
  role: Role | null;

  @IntegerProperty({ description: 'Number of members', example: 12 })
  member_count: number;

  @NestedProperty(() => QuotaSet, {
    description:
      "Use and limits of the organization's plan; null for members who may not see all of its recordings (`EDITOR`, `VIEWER`)",
    nullable: true,
  })
  quotas: QuotaSet | null;

  @NestedProperty(() => OrganizationFeatures, {
    description:
      'Feature flags of the organization; a feature must also be part of the plan and enabled for the member',
  })
  features: OrganizationFeatures;

  @BooleanProperty({
    description:
      'Whether every member may move their own recordings out of the organization; otherwise only `OWNER` and `ADMIN` may',
    example: false,
  })
  members_may_take_recordings: boolean;

  @EnumProperty({
    values: PLANS,
    name: 'OrganizationPlan',
    description: "Plan, which applies to the organization's recordings",
    example: 'PRO',
  })
  plan: Plan;

  @NestedProperty(() => OrganizationSubscription, { description: 'Subscription to the plan' })
  subscription: OrganizationSubscription;

  @NestedProperty(() => PresentedTransfer, {
    description:
      'The pending transfer of ownership; null if there is none or the caller can neither accept nor cancel it',
    nullable: true,
  })
  transfer: PresentedTransfer | null;

  @TimestampProperty({ description: 'When it was created' })
  created_at: string;
}

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
    plan,
    subscription: {
      status: details.subscriptionStatus,
      ends_at: details.subscriptionEndsAt?.toISOString() ?? null,
    },
    transfer: transfer && presentTransfer(transfer),
    created_at: details.createdAt.toISOString(),
  };
}

export function presentTransfer(transfer: PendingTransfer): PresentedTransfer {
  return {
    user_id: transfer.toUserId,
    from_user_id: transfer.fromUserId,
    created_at: transfer.createdAt.toISOString(),
    expires_at: transfer.expiresAt.toISOString(),
  };
}
