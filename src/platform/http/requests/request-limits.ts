import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { BUDGET_NAMES, BUDGETS, type BudgetName } from '../../config/budgets.js';
import { SETTINGS, type Settings } from '../../config/settings.js';
import { PlatformError } from '../../errors/platform-error.js';
import { METRICS } from '../../telemetry/metrics.js';
import { clientAddress, limitedAddress } from './client-address.js';
import { clusterLimiter, sharedLimiter, takePoint, type Limiter } from './limiters.js';
import { MINUTE_S } from '../../../lib/durations.js';

const REMAINING = 'RateLimit-Remaining';

type Named<By> = { [Name in BudgetName]: (typeof BUDGETS)[Name]['by'] extends By ? Name : never }[BudgetName];

/** Counts requests, refuses those over a limit with 429, and shows the budget with the fewest points left. */
@Injectable()
export class RequestLimits {
  /** Without those that have no limit. */
  private readonly limiters = new Map<BudgetName, Limiter>();

  constructor(@Inject(SETTINGS) { rateLimits }: Settings, dataSource: DataSource) {
    for (const name of BUDGET_NAMES) {
      const limit = { keyPrefix: name, points: rateLimits[name], duration: MINUTE_S };
      if (limit.points === 0) continue;
      // While the database fails, each process keeps the limit by itself: to refuse everything would add an outage to
      // another.
      const insuranceLimiter = new RateLimiterMemory(limit);
      const limiter = BUDGETS[name].guesses
        ? sharedLimiter(dataSource, { ...limit, inMemoryBlockOnConsumed: limit.points, insuranceLimiter })
        : clusterLimiter(limit);
      this.limiters.set(name, limiter);
    }
  }

  countUser(name: Named<'user'>, userId: string, response: Response): Promise<void> {
    return this.count(name, userId, response);
  }

  countAddress(name: Named<'address'>, request: Request, response: Response): Promise<void> {
    return this.count(name, limitedAddress(clientAddress(request)), response);
  }

  /** Counts a request with an invalid API key, of an address and in all: one attacker may have many addresses. */
  async countWrongKey(request: Request, response: Response): Promise<void> {
    await this.countAddress('wrongKeys', request, response);
    await this.count('allWrongKeys', '', response);
  }

  private async count(name: BudgetName, key: string, response: Response): Promise<void> {
    const limiter = this.limiters.get(name);
    if (!limiter) return;
    // Addresses are kept out of the database.
    const counted = BUDGETS[name].guesses ? createHash('sha256').update(key).digest('base64url') : key;
    try {
      await takePoint(limiter, counted, BUDGETS[name].refusal, (left, seconds) => {
        const shown = response.getHeader(REMAINING);
        if (shown !== undefined && Number(shown) <= left) return;
        response.setHeader('RateLimit-Limit', String(limiter.points));
        response.setHeader(REMAINING, String(left));
        response.setHeader('RateLimit-Reset', String(seconds));
      });
    } catch (error) {
      if (error instanceof PlatformError) METRICS.refusals.inc({ reason: reasonOf(name) });
      throw error;
    }
  }
}

/** As the setting says which limit it was: `rate_limit_costly`. */
const reasonOf = (name: BudgetName): string => BUDGETS[name].setting.replace('_PER_MINUTE', '').toLowerCase();
