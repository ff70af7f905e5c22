import { EventSubscriber } from 'typeorm';
import type { EntityManager, EntitySubscriberInterface, TransactionCommitEvent } from 'typeorm';
import { PlatformError } from '../errors/platform-error.js';
import { markChanged, type Claim } from './idempotency.queries.js';
import { carriedRequest } from './repeatable-decision.js';

/**
 * Notes in every transaction of a claimed request, before it commits, that the request has changed something. So a
 * crash at any point leaves either no change, or a row that prevents the change from being made again. A transaction is
 * rolled back if its claim has passed to another attempt meanwhile.
 */
@EventSubscriber()
export class ChangeMarker implements EntitySubscriberInterface {
  beforeTransactionCommit({ manager }: TransactionCommitEvent): void | Promise<void> {
    const claim = carriedRequest.getStore()?.claim;
    if (claim) return mark(manager, claim);
  }
}

async function mark(manager: EntityManager, claim: Claim): Promise<void> {
  const { wrote, noted } = await markChanged(manager, claim);
  if (wrote && !noted) throw new PlatformError('IDEMPOTENCY_KEY_IN_USE');
}
