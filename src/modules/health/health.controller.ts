import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import { Health } from './dto/health.response.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Endpoint({
    summary: 'Is the process alive',
    description: 'Answers as long as the process runs; asks nothing else.',
    reply: Health,
    public: true,
  })
  checkLiveness(): Reply<Health> {
    return reply({ status: 'ok' });
  }

  @Get('ready')
  @Endpoint({
    summary: 'Can it serve requests',
    description: 'Asks database and storage; 503 while one of them is away or the process is stopping.',
    reply: Health,
    public: true,
    errors: ['SERVICE_UNAVAILABLE'],
  })
  async checkReadiness(): Promise<Reply<Health>> {
    return reply(await this.health.ready());
  }
}
