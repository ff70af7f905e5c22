import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../clock/clock.js';
import { PlatformError } from '../errors/platform-error.js';
import { newId } from '../ids.js';
import { JobsService } from '../jobs/jobs.service.js';
import { AppLogger } from '../logging/app-logger.js';
import { IDEMPOTENCY_LIMITS } from '../http-limits.js';
import {
  claimKey,
  completeKey,
  deleteExpiredKeys,
  dropOldestKeys,
  LEASE_SECONDS,
  releaseKey,
  renewLeases,
  type Claim,
  type NewClaim,
} from './idempotency.queries.js';
import { HOUR_MS } from '../../lib/durations.js';

const RENEW_INTERVAL_MS = (LEASE_SECONDS * 1000) / 3;
/** A claim is neither made nor found only while another process makes it. */
const MAX_TRIES = 5;
/** Claims of a user after which a process looks for keys over the limits. */
const TRIM_EVERY = 100;
const MAX_COUNTED_USERS = 10_000;

/** The reply to an earlier request. */
interface KeptReply {
  /** Encrypted. */
  readonly reply: Buffer;
  /** When it was stored, by the clock of the database. */
  readonly keptAt: Date;
}

type ClaimedRequest = Pick<NewClaim, 'id' | 'userId' | 'request'>;

/** The table of requests with an `Idempotency-Key`, which all processes share. */
@Injectable()
export class IdempotencyClaims implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly open = new Set<Claim>();
  private readonly claimsOf = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('idempotency.tidy', (_payload, stop) => this.tidy(stop), { schedule: '*/5 * * * *' });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.renew(), RENEW_INTERVAL_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * A claim, with which the request is to be carried out, or the encrypted reply of an earlier request. Refuses while
   * that request is running, if its reply is not available, and if it was a different one.
   */
  async claim(asked: ClaimedRequest): Promise<Claim | KeptReply> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const claim: Claim = { id: asked.id, attempt: newId() };
      const now = this.clock.now();
      const expiresAt = new Date(now.getTime() + IDEMPOTENCY_LIMITS.keptHours * HOUR_MS);
      const row = await claimKey(this.dataSource.manager, { ...asked, ...claim, now, expiresAt });
      if (row.claimed) return this.opened(claim, asked.userId);
      if (row.request === null) continue;
      if (!row.request.equals(asked.request)) throw new PlatformError('IDEMPOTENCY_KEY_REUSED');
      if (row.reply && row.leased_until) return { reply: row.reply, keptAt: row.leased_until };
      if (!row.running && row.changed) throw new PlatformError('IDEMPOTENCY_REPLY_LOST');
      if (row.running) break;
    }
    throw new PlatformError('IDEMPOTENCY_KEY_IN_USE');
  }

  /** Stores the reply, so that the request is never carried out again; with null, without its reply. */
  async complete(claim: Claim, reply: Buffer | null): Promise<void> {
    await this.end(claim, () => completeKey(this.dataSource.manager, claim, reply));
  }

  /** The request may be sent again with the same key, unless it has changed something. */
  async release(claim: Claim): Promise<void> {
    await this.end(claim, () => releaseKey(this.dataSource.manager, claim));
  }

  /** Removes expired keys in batches. */
  async tidy(stop: AbortSignal): Promise<void> {
    let mayBeMore = true;
    while (mayBeMore && !stop.aborted)
      mayBeMore = await deleteExpiredKeys(this.dataSource.manager, this.clock.now());
  }

  private opened(claim: Claim, userId: string): Claim {
    this.open.add(claim);
    const claims = this.claimsOf.get(userId) ?? 0;
    const [oldest] = this.claimsOf.size < MAX_COUNTED_USERS ? [] : this.claimsOf.keys();
    if (oldest !== undefined) this.claimsOf.delete(oldest);
    this.claimsOf.set(userId, claims + 1);
    if (claims % TRIM_EVERY === 0) void this.trim(userId);
    return claim;
  }

  /** A failure to note it does not change the reply: the lease ends, and the row says whether anything was changed. */
  private async end(claim: Claim, write: () => Promise<unknown>): Promise<void> {
    this.open.delete(claim);
    await write().catch(this.warning('Could not note the end of a request with an Idempotency-Key'));
  }

  private async renew(): Promise<void> {
    if (this.open.size === 0) return;
    await renewLeases(this.dataSource.manager, [...this.open]).catch(
      this.warning('Could not renew the leases of requests; will retry'),
    );
  }

  private async trim(userId: string): Promise<void> {
    await dropOldestKeys(this.dataSource.manager, userId).catch(
      this.warning('Could not drop the oldest idempotency keys; will retry'),
    );
  }

  private warning(text: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, text);
  }
}
