import { readFileSync } from 'node:fs';
import { openDatabase } from './api/database.js';
import { cpuPart, measureReach } from './api/reach.js';
import { missedIn, tables } from './api/report.js';
import { circumstancesOf, headOf, openWorld } from './api/world.js';
import { fallen, withFloor, withSecond } from './quick/floor.js';

const FLOOR = new URL('floor.json', import.meta.url);
/** Compiled code first has to be optimized, which takes about as long whatever the time of a measurement. */
const WARM_UP_SECONDS = 0.6;

/**
 * The cases of reach in short rounds on a small database; see `openWorld` for the options. Fails if a ratio falls below its
 * floor twice in a row.
 */
export async function measure(options) {
  const floor = JSON.parse(readFileSync(FLOOR, 'utf8'));
  const warmUp = Math.min(WARM_UP_SECONDS, 2 * options.seconds);
  const bench = await openWorld(await openDatabase(options), { ...options, warmUp });
  let rows = withFloor(await measureReach(bench), floor);
  const again = fallen(rows);
  if (again.length > 0) {
    bench.say(`below the floor, so measured again: ${again.join('; ')}`);
    const second = await measureReach({ ...bench, compare: false }, again);
    rows = withSecond(rows, withFloor(second, Object.fromEntries(again.map((name) => [name, floor[name]]))));
  }
  const parts = [{ title: 'Reach: service and yardstick; the target is the floor', rows }, cpuPart(rows)];
  const circumstances = circumstancesOf(bench);
  process.stdout.write(`${headOf(circumstances)}\n\n${tables(parts)}`);
  return { ...circumstances, parts, missed: missedIn(parts) };
}
