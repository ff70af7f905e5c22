import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import type { Caller } from '../../policy/caller.js';
import { KNOWING, requireKey } from './api-key-checks.js';
import { MAKING, requireWithin } from './api-key-limits.js';

/** Decides about keys again, before the reply to a request that was about them is repeated. */
@Injectable()
export class ApiKeyDecisionsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replies: ReplyChecks,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(KNOWING, ({ apiKey }: Caller, key) =>
      requireKey(this.dataSource.manager, key, apiKey),
    );
    this.replies.decideBy(MAKING, ({ apiKey }: Caller, { expiresAt, ...limits }) =>
      requireWithin({ ...limits, expiresAt: expiresAt && new Date(expiresAt) }, apiKey),
    );
  }
}
