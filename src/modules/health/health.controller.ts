import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import { Health, Readiness } from './health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Endpoint({
    summary: 'Check liveness',
    description: 'Succeeds as long as the process is running; checks nothing else.',
    reply: Health,
    public: true,
    unlimited: true,
  })
  checkLiveness() {
    return reply({ status: 'ok' as const });
  }

  @Get('ready')
  @Endpoint({
    summary: 'Check readiness',
    description:
      'Checks everything that the service depends on. Returns 503 while the database or the storage is unreachable, which the message names, or the process is shutting down. While requests are answered but something else is wrong, `status` is `degraded`, and `dependencies` say what.',
    reply: Readiness,
    public: true,
    unlimited: true,
    errors: ['SERVICE_UNAVAILABLE'],
  })
  async checkReadiness() {
    return reply(await this.health.ready());
  }
}
