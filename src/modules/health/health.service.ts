import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { DomainError } from '../../contract/domain-error.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import type { Health } from './dto/health.response.dto.js';

const DATABASE_TIMEOUT_MS = 2_000;
/** Anyone may ask, and each check costs requests to the database and the object store. */
const CHECK_EVERY_MS = 1_000;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private stopping = false;
  /** The last check, for everyone who asks within a second of its start. */
  private last: { readonly at: number; readonly checked: Promise<unknown> } | null = null;

  constructor(
    private readonly checks: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly indicator: HealthIndicatorService,
    private readonly objects: ObjectStore,
  ) {}

  /** Throws 503 when the database or the object store is unavailable, or the service is shutting down. */
  async ready(): Promise<Health> {
    if (this.stopping) throw new DomainError('SERVICE_UNAVAILABLE', 'The service is shutting down.');
    if (!this.last || performance.now() - this.last.at >= CHECK_EVERY_MS) {
      this.last = { at: performance.now(), checked: this.check() };
    }
    await this.last.checked;
    return { status: 'ok' };
  }

  private check(): Promise<unknown> {
    return this.checks.check([
      () => this.database.pingCheck('database', { timeout: DATABASE_TIMEOUT_MS }),
      () => this.storage(),
    ]);
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private async storage() {
    const check = this.indicator.check('storage');
    try {
      await this.objects.check();
      return check.up();
    } catch {
      return check.down();
    }
  }
}
