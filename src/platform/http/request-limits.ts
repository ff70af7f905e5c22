import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import type { DataSource } from 'typeorm';
import { Clock } from '../clock.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { PlatformError } from '../errors/platform-error.js';
import { AppLogger } from '../logging/app-logger.js';
import { Budget, secondsLeft } from '../rate-limits/budget.js';
import { BUDGET_NAMES, BUDGETS, type BudgetName } from '../config/budgets.js';
import { LeaseQueue } from '../rate-limits/lease-queue.js';
import { REFUSED } from '../rate-limits/leased-counter.js';
import { PostgresLeases } from '../rate-limits/postgres-leases.js';
import { clientAddress, limitedAddress } from './client-address.js';

const REMAINING = 'RateLimit-Remaining';

type Named<By> = { [Name in BudgetName]: (typeof BUDGETS)[Name]['by'] extends By ? Name : never }[BudgetName];

/**
 * Counts requests and refuses those over a limit with 429 `RATE_LIMITED`. Sets the headers `RateLimit-*` of the budget
 * with the fewest points left. Asynchronous only in the rare case that points have to be leased first.
 */
@Injectable()
export class RequestLimits implements BeforeApplicationShutdown {
  private readonly leases: LeaseQueue;
  /** Without those that have no limit. */
  private readonly budgets = new Map<BudgetName, Budget>();

  constructor(
    @Inject(SETTINGS) settings: Settings,
    @InjectDataSource() dataSource: DataSource,
    private readonly clock: Clock,
    logger: AppLogger,
  ) {
    const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
    const store = new PostgresLeases(dataSource, warn('Could not delete old rate limits; will retry'));
    this.leases = new LeaseQueue(
      store,
      warn('Could not count requests over all processes; counted in this process alone'),
    );
    for (const name of BUDGET_NAMES) {
      const limit = settings.rateLimits[name];
      if (limit > 0) this.budgets.set(name, new Budget(name, limit, this.leases));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.leases.close();
  }

  /** Counts a request of a user. */
  countUser(name: Named<'user'>, userId: string, response: Response): void | Promise<void> {
    return this.count(name, userId, response);
  }

  /** Counts a request of an address. */
  countAddress(name: Named<'address'>, request: Request, response: Response): void | Promise<void> {
    if (!this.budgets.has(name)) return;
    return this.count(name, limitedAddress(clientAddress(request)), response);
  }

  /** Counts a request with an invalid API key, of an address and in all: one attacker may have many addresses. */
  async countWrongKey(request: Request, response: Response): Promise<void> {
    await this.countAddress('wrongKeys', request, response);
    await this.count('allWrongKeys', '', response);
  }

  /** The 429 for a user who is known to have nothing left; null otherwise. Counts nothing. */
  refusalIfSpent(name: Named<'user'>, userId: string, response: Response): PlatformError | null {
    const budget = this.budgets.get(name);
    const now = this.clock.now().getTime();
    if (!budget?.isSpent(userId, now)) return null;
    show(budget, 0, now, response);
    return refusal(name, now);
  }

  private count(name: BudgetName, key: string, response: Response): void | Promise<void> {
    const budget = this.budgets.get(name);
    if (!budget) return;
    const now = this.clock.now().getTime();
    const left = budget.take(key, now);
    if (typeof left === 'number') answer(name, budget, left, now, response);
    else return left.then((leased) => answer(name, budget, leased, now, response));
  }
}

function answer(name: BudgetName, budget: Budget, left: number, now: number, response: Response): void {
  show(budget, Math.max(0, left), now, response);
  if (left === REFUSED) throw refusal(name, now);
}

function show({ limitText }: Budget, left: number, now: number, response: Response): void {
  const shown = response.getHeader(REMAINING);
  if (shown !== undefined && Number(shown) <= left) return;
  response.setHeader('RateLimit-Limit', limitText);
  response.setHeader(REMAINING, String(left));
  response.setHeader('RateLimit-Reset', String(secondsLeft(now)));
}

function refusal(name: BudgetName, now: number): PlatformError {
  const headers = { 'Retry-After': String(secondsLeft(now)) };
  return new PlatformError('RATE_LIMITED', BUDGETS[name].refusal, { headers });
}
