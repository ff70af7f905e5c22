import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { messageOfServer } from '../../platform/database/database-errors.js';
import { findReplicaProblem } from '../../platform/database/servers/replica.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { ModelCheck } from '../../platform/models/model-check.js';
import { DiskSpace } from '../../platform/storage/disk-space.js';
import { ObjectStore, StoreUnavailableError } from '../../platform/storage/object-store.js';
import { findInstance, findQueueProblem } from './instance.queries.js';
import type { DependencyHealth, DependencyName, Readiness } from './health.dto.js';

const TIMEOUT_MS = 2_000;
/** Anyone may ask, and each check costs requests to the database and the object store. */
const CHECK_EVERY_MS = 1_000;
const CHECK_JOBS_EVERY_MS = 5_000;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private stopping = false;
  /** The last check, for everyone who asks within a second of its start. */
  private last: { readonly at: number; readonly answer: Promise<Readiness> } | null = null;
  private readonly hasReplica: boolean;
  private readonly models: [DependencyName, ModelCheck][] = [];

  constructor(
    private readonly indicator: HealthIndicatorService,
    private readonly objects: ObjectStore,
    private readonly disk: DiskSpace,
    private readonly dataSource: DataSource,
    private readonly logger: AppLogger,
    @Inject(SETTINGS)
    {
      chat,
      transcription,
      databaseReplicaUrl,
    }: Pick<Settings, 'chat' | 'transcription' | 'databaseReplicaUrl'>,
  ) {
    this.hasReplica = databaseReplicaUrl !== undefined;
    if (chat) this.models.push(['chat', new ModelCheck('chat server', chat)]);
    if (transcription)
      this.models.push(['transcription', new ModelCheck('transcription server', transcription)]);
  }

  /** Throws 503, which names what is unavailable: the database, the object store, or a service that is shutting down. */
  async ready(): Promise<Readiness> {
    if (this.stopping) throw new DomainError('SERVICE_UNAVAILABLE', 'The service is shutting down.');
    if (!this.last || performance.now() - this.last.at >= CHECK_EVERY_MS)
      this.last = { at: performance.now(), answer: this.look() };
    return this.last.answer;
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** Looks at everything that the service depends on. */
  private async look(): Promise<Readiness> {
    const { manager } = this.dataSource;
    let instance: string | null = null;
    let cause: unknown;
    const noDatabase = (error: unknown): never => {
      cause = error;
      const message = messageOfServer(error);
      throw new Error(`The database does not answer${message ? `: ${message}` : ''}.`);
    };
    const noStore = (error: unknown): never => {
      cause ??= error instanceof StoreUnavailableError ? error : new StoreUnavailableError(error);
      throw new Error('The storage of media files cannot be used.');
    };
    const findsInstance = async (): Promise<void> => void (instance = await findInstance(manager));
    const dependencies = await Promise.all([
      this.state('database', 'down', () => findsInstance().catch(noDatabase)),
      ...(this.hasReplica
        ? [this.state('replica', 'degraded', () => findReplicaProblem(this.dataSource))]
        : []),
      this.state('store', 'down', () => this.objects.check().catch(noStore)),
      this.state('disk', 'degraded', () => this.disk.check()),
      this.state('jobs', 'degraded', () => findQueueProblem(manager), CHECK_JOBS_EVERY_MS),
      ...this.models.map(([name, model]) => this.state(name, 'degraded', async () => model.look())),
    ]);
    if (cause !== undefined) this.logger.outage(cause);
    const down = dependencies.filter(({ status }) => status === 'down');
    if (down.length > 0 || instance === null)
      throw new DomainError('SERVICE_UNAVAILABLE', down.map(({ message }) => message).join(' '), { cause });
    const isOk = dependencies.every(({ status }) => status === 'ok');
    return { status: isOk ? 'ok' : 'degraded', instance, dependencies };
  }

  /** `find` throws a sentence, or returns one. `everyMs`: how long what it has found counts. */
  private async state(
    name: DependencyName,
    ifNot: 'down' | 'degraded',
    find: () => Promise<string | null | void>,
    everyMs?: number,
  ): Promise<DependencyHealth> {
    const attempt = this.indicator.check(name).attempt(async () => {
      const problem = await find();
      if (problem) throw new Error(problem);
    });
    if (everyMs !== undefined) attempt.cacheFor(everyMs);
    const { [name]: found } = await attempt.withTimeout(TIMEOUT_MS);
    const { status, message = null } = found as { readonly status: string; readonly message?: string };
    return status === 'up' ? { name, status: 'ok', message: null } : { name, status: ifNot, message };
  }
}
