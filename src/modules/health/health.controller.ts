import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import { Health, Readiness } from './dto/health.response.dto.js';
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
  checkLiveness(): Reply<Health> {
    return reply({ status: 'ok' });
  }

  @Get('ready')
  @Endpoint({
    summary: 'Check readiness',
    description:
      'Checks the database and the storage. Returns 503 while either is unreachable, which the message names, or the process is shutting down.',
    reply: Readiness,
    public: true,
    unlimited: true,
    errors: ['SERVICE_UNAVAILABLE'],
  })
  async checkReadiness(): Promise<Reply<Readiness>> {
    return reply(await this.health.ready());
  }
}
