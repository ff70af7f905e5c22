import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import { PLANS } from '../../policy/plans.js';
import { PresentedPlan, presentPlan } from './dto/plan.response.dto.js';

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
  listPlans(): Reply<PresentedPlan[]> {
    return reply(PLANS.map((plan) => presentPlan(plan, this.settings.quotas[plan])));
  }
}
