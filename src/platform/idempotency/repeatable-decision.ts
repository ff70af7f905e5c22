import { AsyncLocalStorage } from 'node:async_hooks';

/** A decision that let a request pass: its name, and the facts that it was about, which are JSON. */
export type NotedDecision = readonly [name: string, facts: unknown];

const current = new AsyncLocalStorage<Map<string, NotedDecision>>();

/** Carries a request out; `noted` returns what has been decided so far. */
export function notingDecisions<T>(work: (noted: () => NotedDecision[]) => Promise<T>): Promise<T> {
  const decisions = new Map<string, NotedDecision>();
  return current.run(decisions, () => work(() => [...decisions.values()]));
}

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
    current.getStore()?.set(JSON.stringify(noted), noted);
  }
}
