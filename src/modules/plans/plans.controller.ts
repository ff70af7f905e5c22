import { ApiSchema } from '@nestjs/swagger';
import { present } from '../../contract/present.js';
import {
  BooleanProperty,
  EnumProperty,
  IntegerProperty,
  NestedProperty,
} from '../../platform/openapi/field.decorator.js';
import { PLAN_CATALOG, PLANS, USER_PLANS, type Plan, type QuotaLimits } from '../../policy/plans.js';
import { OrganizationFeatures } from '../organizations/public/feature-flags.dto.js';
import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { reply } from '../../platform/openapi/reply.dto.js';

export class PlanQuotas {
  @IntegerProperty('Maximum total size of recordings, in bytes; null: unlimited', {
    example: 1_099_511_627_776,
    nullable: true,
  })
  stored_bytes: number | null;

  @IntegerProperty('Maximum number of recordings; null: unlimited', { example: 100_000, nullable: true })
  recordings: number | null;

  @IntegerProperty('Maximum number of uploads started per day (UTC); null: unlimited', {
    example: 2000,
    nullable: true,
  })
  uploads_per_day: number | null;
}

@ApiSchema({ name: 'Plan' })
export class PresentedPlan {
  @EnumProperty('The plan', { values: PLANS, name: 'OrganizationPlan', example: 'PRO' })
  plan: Plan;

  @BooleanProperty('Whether users can be on it; organizations can be on any', { example: true })
  for_users: boolean;

  @IntegerProperty('Recordings older than this many days are locked; null: none are', {
    example: null,
    nullable: true,
  })
  history_days: number | null;

  @NestedProperty(() => OrganizationFeatures, 'What is included; feature flags can still turn it off')
  features: OrganizationFeatures;

  @NestedProperty(() => PlanQuotas, 'Limits for each user or organization, which the operator sets')
  quotas: PlanQuotas;
}

export function presentPlan(plan: Plan, quotas: QuotaLimits): PresentedPlan {
  const { historyDays, features } = PLAN_CATALOG[plan];
  return {
    plan,
    for_users: USER_PLANS.some((one) => one === plan),
    history_days: historyDays,
    features: present(OrganizationFeatures, features),
    quotas: present(PlanQuotas, quotas),
  };
}

@ApiTags('Plans')
@Controller('plans')
export class PlansController {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'quotas'>) {}

  @Get()
  @Endpoint({
    summary: 'List plans',
    description:
      "What each plan includes, from the lowest to the highest. A personal recording has the plan of its owner (`plan` in `GET /me`), any other that of its organization. An operator changes a user's plan with `PATCH /users/{id}` and an organization's with `PATCH /organizations/{id}`.",
    reply: PresentedPlan,
    many: true,
    compressed: true,
    public: true,
  })
  listPlans() {
    return reply(PLANS.map((plan) => presentPlan(plan, this.settings.quotas[plan])));
  }
}
