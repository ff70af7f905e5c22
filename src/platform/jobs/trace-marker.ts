import { EventSubscriber, type EntitySubscriberInterface, type TransactionStartEvent } from 'typeorm';
import { setChangeSource } from '../database/transaction-by.js';
import { causeOfJob } from '../telemetry/cause.js';
import { isTracing } from '../telemetry/spans.js';

/** Changes of a job are the service's own. While traces are exported, its transactions also say from which one they are. */
@EventSubscriber()
export class TraceMarker implements EntitySubscriberInterface {
  afterTransactionStart({ manager }: TransactionStartEvent): void | Promise<void> {
    if (isTracing() && causeOfJob()) return setChangeSource(manager, { kind: 'service' });
  }
}
