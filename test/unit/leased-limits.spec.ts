import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Budget } from '../../src/platform/rate-limits/budget.js';
import { LeaseQueue, type Lease, type LeaseStore } from '../../src/platform/rate-limits/lease-queue.js';
import { REFUSED } from '../../src/platform/rate-limits/leased-counter.js';

const NOW = 1_000 * 60_000;

/** Counts like PostgreSQL: adds, and returns all that has been asked for. */
class Totals implements LeaseStore {
  readonly totals = new Map<string, number>();
  statements = 0;
  fails = false;

  async add(leases: readonly Lease[]): Promise<number[]> {
    this.statements += 1;
    await new Promise(setImmediate);
    if (this.fails) throw new Error('The database is away');
    return leases.map(({ id, minute, points }) => {
      const total = (this.totals.get(`${minute} ${id}`) ?? 0) + points;
      this.totals.set(`${minute} ${id}`, total);
      return total;
    });
  }
}

/** Processes that share a limit. */
function processes(count: number, limit: number, store: LeaseStore, failed = (): void => {}): Budget[] {
  return Array.from({ length: count }, () => new Budget('user', limit, new LeaseQueue(store, failed)));
}

async function served(budget: Budget | undefined, requests: number, now = NOW): Promise<number> {
  const answers = Array.from({ length: requests }, async () => budget?.take('ada', now));
  return (await Promise.all(answers)).filter((left) => left !== REFUSED).length;
}

describe('a leased limit', () => {
  it('is kept exactly by one process, and by several up to one percent each, in any order of requests', async () => {
    const bursts = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 60 }), fc.boolean()), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 400 }),
        bursts,
        async (count, limit, sent) => {
          const all = processes(count, limit, new Totals());
          const answers: Promise<number>[] = [];
          let requests = 0;
          for (const [which, burst, pause] of sent) {
            requests += burst;
            answers.push(served(all[which % count], burst));
            if (pause) await new Promise(setImmediate);
          }
          const sum = (await Promise.all(answers)).reduce((total, one) => total + one, 0);
          const credit = Math.round(limit / 100);
          expect(sum).toBeLessThanOrEqual(limit + (count === 1 ? 0 : count * credit));
          if (count === 1) expect(sum).toBe(Math.min(requests, limit));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is available up to nine tenths although another process has leased a share that it does not use', async () => {
    const [busy, idle] = processes(2, 1_000, new Totals());
    await served(idle, 15);
    expect(await served(busy, 2_000)).toBeGreaterThanOrEqual(885);
  });

  it('costs a few statements for a thousand requests, and none for a few', async () => {
    const store = new Totals();
    const [budget] = processes(1, 6_000, store);
    for (let count = 0; count < 20; count += 1) await budget?.take('ada', NOW);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(store.statements).toBe(0);
    for (let count = 0; count < 1_000; count += 1) await budget?.take('ada', NOW);
    expect(store.statements).toBeLessThanOrEqual(6);
  });

  it('leases for many users in one statement', async () => {
    const store = new Totals();
    const [budget] = processes(1, 10, store);
    const users = Array.from({ length: 500 }, async (_, user) => budget?.take(`user ${user}`, NOW));
    expect(await Promise.all(users)).toEqual(users.map(() => 9));
    expect(store.statements).toBe(1);
  });

  it('starts anew every minute', async () => {
    const [budget] = processes(1, 30, new Totals());
    expect(await served(budget, 40)).toBe(30);
    expect(budget?.isSpent('ada', NOW + 59_999)).toBe(true);
    expect(await served(budget, 40, NOW + 60_000)).toBe(30);
  });

  it('counts down what all processes together have left', async () => {
    const [one, other] = processes(2, 20, new Totals());
    expect([await one?.take('ada', NOW), await one?.take('ada', NOW)]).toEqual([19, 18]);
    expect(await other?.take('ada', NOW)).toBe(17);
  });

  it('holds in each process by itself while the database is away', async () => {
    const store = new Totals();
    store.fails = true;
    let failures = 0;
    const [one, other] = processes(2, 50, store, () => (failures += 1));
    expect([await served(one, 80), await served(other, 80)]).toEqual([50, 50]);
    expect(failures).toBeGreaterThan(0);
  });

  it('forgets the users it has seen first when there are too many, and still keeps the limit', async () => {
    const [budget] = processes(1, 3, new Totals());
    expect(await served(budget, 5)).toBe(3);
    const others = Array.from({ length: 20_000 }, async (_, user) => budget?.take(`user ${user}`, NOW));
    await Promise.all(others);
    expect(await served(budget, 5)).toBe(0);
  });
});
