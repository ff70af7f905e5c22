import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { LIMITS } from '../../contract/limits.js';
import { Clock } from '../../platform/clock/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { WebhookSecret } from './entities/webhook.entity.js';
import { deleteDeliveriesBefore } from './webhooks.queries.js';
import { DAY_MS } from '../../lib/durations.js';

const BATCH = 5_000;

/** Removes, in batches, what was sent more than `LIMITS.eventDays` ago or to webhooks that no longer exist. */
@Injectable()
export class WebhookRetentionService implements OnModuleInit {
  constructor(
    @InjectRepository(WebhookSecret) private readonly secrets: Repository<WebhookSecret>,
    private readonly jobs: JobsService,
    private readonly erasure: ErasureService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('webhooks.upkeep', (_, stop) => this.run(stop), { schedule: '37 * * * *' });
  }

  async run(stop?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    await this.secrets.delete({ expiresAt: LessThan(now) });
    const before = new Date(now.getTime() - LIMITS.eventDays * DAY_MS);
    do stop?.throwIfAborted();
    while ((await deleteDeliveriesBefore(this.secrets.manager, before, BATCH)) === BATCH);
    // Those that were queued while their webhook was being deleted.
    await this.erasure.run({ of: 'webhook' }, stop);
  }
}
