import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntitySubscriberInterface, TransactionCommitEvent } from 'typeorm';
import { PlatformError } from '../errors/platform-error.js';
import type { Claim } from './idempotency-claims.service.js';
import { MARK_CHANGED } from './idempotency.sql.js';

interface Marked {
  readonly wrote: boolean;
  readonly marked: boolean;
}

/**
 * Notes in every transaction of a claimed request, before it commits, that the request has changed something. So a crash at any
 * point leaves either no change, or a row that prevents the change from being made again. A transaction is rolled back if its
 * claim has passed to another attempt meanwhile.
 *
 * The claim is the only thing that reaches transactions without being passed as an argument: services neither see it nor depend
 * on it.
 */
@Injectable()
export class ChangeMarker implements EntitySubscriberInterface, OnModuleInit {
  private readonly claims = new AsyncLocalStorage<{ claim: Claim | null }>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    this.dataSource.subscribers.push(this);
  }

  /** Transactions that outlast `work` are not marked. */
  async during<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    const current: { claim: Claim | null } = { claim };
    try {
      return await this.claims.run(current, work);
    } finally {
      current.claim = null;
    }
  }

  beforeTransactionCommit({ queryRunner }: TransactionCommitEvent): void | Promise<void> {
    const claim = this.claims.getStore()?.claim;
    if (claim) return mark(queryRunner, claim);
  }
}

async function mark(
  queryRunner: TransactionCommitEvent['queryRunner'],
  { id, attempt }: Claim,
): Promise<void> {
  const [{ wrote, marked }]: [Marked] = await queryRunner.query(MARK_CHANGED, [id, attempt]);
  if (wrote && !marked) throw new PlatformError('IDEMPOTENCY_KEY_IN_USE');
}
