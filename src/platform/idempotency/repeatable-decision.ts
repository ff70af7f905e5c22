import { AsyncLocalStorage } from 'node:async_hooks';
import type { Claim } from './idempotency.queries.js';

/** A decision that let a request pass: its name, and the facts that it was about, which are JSON. */
export type NotedDecision = readonly [name: string, facts: unknown];

/** A request with an `Idempotency-Key`: what transactions and decisions need of it, without services passing it on. */
export interface CarriedRequest {
  /** Null once it has been carried out. */
  claim: Claim | null;
  /** What has let it pass so far, each decision once. */
  readonly decisions: Map<string, NotedDecision>;
}

export const carriedRequest = new AsyncLocalStorage<CarriedRequest>();

/**
 * A decision about access that depends on more than the API key, such as a role. Whoever makes it notes what it was
 * about; before a kept reply is repeated, it is made again, by the rights of that moment (`ReplyChecks.decideBy`). So a
 * kept reply is as well protected as what it shows, and services need not know that replies are kept.
 */
export class RepeatableDecision<Facts> {
  constructor(readonly name: string) {}

  /** Does nothing unless the reply of the request will be kept. */
  note(facts: Facts): void {
    const noted: NotedDecision = [this.name, facts];
    carriedRequest.getStore()?.decisions.set(JSON.stringify(noted), noted);
  }
}
