import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { until } from '../support/process.js';
import { Dependency } from '../../src/platform/logging/dependency.js';

const REFUSED = new Error('connect ECONNREFUSED 10.0.0.5:5432');
/** Milliseconds. */
const PACE = { check: 5, warn: 50 };
const [WARN, ERROR] = [40, 50];

describe('a dependency that is away', () => {
  let lines: { level: number; msg: string; seconds?: number; refused?: number }[];
  let isAway: boolean;
  let logger: AppLogger;
  let dependency: Dependency;

  beforeEach(() => {
    [lines, isAway] = [[], true];
    logger = new AppLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
    const check = async (): Promise<void> => {
      if (isAway) throw REFUSED;
    };
    dependency = new Dependency(
      'database',
      { causes: (error) => error === REFUSED, check },
      logger.pino,
      PACE,
    );
    logger.dependencies.add(dependency);
  });

  afterEach(() => dependency.stop());

  const logged = (count: number): Promise<void> => until(`${count} lines`, () => lines.length >= count);
  const refuse = (count: number): void => {
    for (let nth = 0; nth < count; nth += 1)
      expect(logger.outage(new Error('503', { cause: REFUSED }), 1)).toBe(true);
  };

  it('is an error when it goes and when it is back, with how long and how many requests, and a warning a minute', async () => {
    const begun = Date.now();
    refuse(500);
    await logged(1);
    expect(lines).toMatchObject([{ level: ERROR, msg: `database unavailable: ${REFUSED.message}` }]);
    refuse(19);
    expect(logger.outage(REFUSED)).toBe(true);
    await logged(3);
    isAway = false;
    await until('its return', () => lines.at(-1)?.level === ERROR);
    const warnings = lines.slice(1, -1);
    expect(warnings.length).toBeLessThanOrEqual((Date.now() - begun) / PACE.warn + 1);
    expect(warnings[0]).toMatchObject({
      level: WARN,
      msg: `database still unavailable: ${REFUSED.message}`,
      refused: 519,
    });
    expect(lines.at(-1)).toMatchObject({ msg: 'database available again', refused: 519 });
    // The next one is another.
    isAway = true;
    const before = lines.length;
    await until('the next outage', () => {
      refuse(1);
      return lines.length > before;
    });
    expect(lines[before]).toMatchObject({ level: ERROR });
  });

  it('is a warning if it answers, as when a single connection was lost', async () => {
    isAway = false;
    refuse(40);
    await logged(1);
    for (let nth = 0; nth < 20; nth += 1) {
      refuse(1);
      await sleep(5);
    }
    const levels = new Set(lines.map(({ level, msg }) => `${level} ${msg}`));
    expect([...levels]).toEqual([`${WARN} database failed, but is available`]);
    expect(lines.length).toBeLessThan(10);
  });

  it('is not to blame for other errors, nor for any once it was stopped', async () => {
    expect(logger.outage(new Error('a bug'))).toBe(false);
    refuse(1);
    await logged(1);
    await dependency.stop();
    const { length } = lines;
    refuse(1);
    await sleep(50);
    expect(lines).toHaveLength(length);
  });
});
