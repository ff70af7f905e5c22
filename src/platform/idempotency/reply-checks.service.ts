import { Injectable } from '@nestjs/common';
import { PlatformError } from '../errors/platform-error.js';
import type { NotedDecision, RepeatableDecision } from './repeatable-decision.js';

/** What a kept reply, or its request, is about. */
export interface ReplySubjects {
  /** Every UUID in it. */
  readonly ids: readonly string[];
  readonly userId: string;
  readonly keptAt: Date;
}

type Decide = (caller: unknown, facts: unknown) => unknown;

/** Decides whether a kept reply may be repeated. Modules register on startup what they know about it. */
@Injectable()
export class ReplyChecks {
  private readonly deciders = new Map<string, Decide>();
  private isErased: (subjects: ReplySubjects) => Promise<boolean> = async () => false;

  /** Registers what knows whether something has been erased since a reply was kept. */
  withholdIf(isErased: (subjects: ReplySubjects) => Promise<boolean>): void {
    this.isErased = isErased;
  }

  /** Registers how a decision is made again: `decide` throws the refusal. */
  decideBy<Facts, Caller>(
    { name }: RepeatableDecision<Facts>,
    decide: (caller: Caller, facts: Facts) => unknown,
  ): void {
    this.deciders.set(name, decide as Decide);
  }

  /** Throws what the request would be refused with now, and 409 `IDEMPOTENCY_REPLY_LOST` for erased subjects. */
  async requireRepeatable(
    caller: unknown,
    subjects: ReplySubjects,
    decisions: readonly NotedDecision[] | undefined,
  ): Promise<void> {
    if (!decisions) throw new PlatformError('IDEMPOTENCY_REPLY_LOST');
    for (const [name, facts] of decisions) {
      const decide = this.deciders.get(name);
      if (!decide) throw new PlatformError('IDEMPOTENCY_REPLY_LOST');
      await decide(caller, facts);
    }
    if (await this.isErased(subjects)) throw new PlatformError('IDEMPOTENCY_REPLY_LOST');
  }
}
