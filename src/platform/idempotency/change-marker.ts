import { AsyncLocalStorage } from 'node:async_hooks';
import { EventSubscriber } from 'typeorm';
import type { EntityManager, EntitySubscriberInterface, TransactionCommitEvent } from 'typeorm';
import { PlatformError } from '../errors/platform-error.js';
import { markChanged, type Claim } from './idempotency.queries.js';

/** The claim that is being carried out: all that reaches transactions without an argument, unseen by services. */
const current = new AsyncLocalStorage<{ claim: Claim | null }>();

/** Carries a claimed request out. Transactions that outlast `work` are not marked. */
export async function carryOutOnce<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
  const store: { claim: Claim | null } = { claim };
  try {
    return await current.run(store, work);
  } finally {
    store.claim = null;
  }
}

/**
 * Notes in every transaction of a claimed request, before it commits, that the request has changed something. So a
 * crash at any point leaves either no change, or a row that prevents the change from being made again. A transaction is
 * rolled back if its claim has passed to another attempt meanwhile.
 */
@EventSubscriber()
export class ChangeMarker implements EntitySubscriberInterface {
  beforeTransactionCommit({ manager }: TransactionCommitEvent): void | Promise<void> {
    const claim = current.getStore()?.claim;
    if (claim) return mark(manager, claim);
  }
}

async function mark(manager: EntityManager, claim: Claim): Promise<void> {
  const { wrote, noted } = await markChanged(manager, claim);
  if (wrote && !noted) throw new PlatformError('IDEMPOTENCY_KEY_IN_USE');
}
