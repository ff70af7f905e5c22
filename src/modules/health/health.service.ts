import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HealthIndicatorService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { findInstance } from './instance.queries.js';
import type { Readiness } from './dto/health.response.dto.js';

const DATABASE_TIMEOUT_MS = 2_000;
/** What the error says when the check of this name fails. */
const FAILED: Readonly<Record<string, string>> = {
  database: 'The database does not answer.',
  storage: 'The storage of media files cannot be used.',
};
/** Anyone may ask, and each check costs requests to the database and the object store. */
const CHECK_EVERY_MS = 1_000;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private stopping = false;
  /** The last check, for everyone who asks within a second of its start. */
  private last: { readonly at: number; readonly checked: Promise<string> } | null = null;

  constructor(
    private readonly database: TypeOrmHealthIndicator,
    private readonly indicator: HealthIndicatorService,
    private readonly objects: ObjectStore,
    private readonly dataSource: DataSource,
  ) {}

  /** Throws 503, which names what is unavailable: the database, the object store, or a service that is shutting down. */
  async ready(): Promise<Readiness> {
    if (this.stopping) throw new DomainError('SERVICE_UNAVAILABLE', 'The service is shutting down.');
    if (!this.last || performance.now() - this.last.at >= CHECK_EVERY_MS) {
      this.last = { at: performance.now(), checked: this.check() };
    }
    return { status: 'ok', instance: await this.last.checked };
  }

  /** Returns the instance. */
  private async check(): Promise<string> {
    const results = await Promise.all([
      this.database.pingCheck('database', { timeout: DATABASE_TIMEOUT_MS }),
      this.indicator.check('storage').attempt(() => this.objects.check()),
    ]);
    const failed = Object.entries({ ...results[0], ...results[1] }).filter(
      ([, { status }]) => status === 'down',
    );
    if (failed.length === 0) return findInstance(this.dataSource.manager);
    throw new DomainError('SERVICE_UNAVAILABLE', failed.map(([name]) => FAILED[name]).join(' '));
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }
}
