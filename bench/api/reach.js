import { deleteLinks, reachCases } from './cases.js';
import { compareAnswers, withComparison } from './comparison.js';
import { medians, round as rounded } from '../numbers.js';

/** Requests per second of both sides, case by case and round by round, after comparing their replies. */
export async function measureReach(bench) {
  const cases = reachCases(bench);
  const measured = cases.map((one) => ({ one, comparison: {}, taken: bench.sides.map(() => []) }));
  if (bench.compare) bench.say('comparing replies');
  for (const entry of measured) entry.comparison = await compare(bench, entry.one);
  await everyCase(bench, measured, bench.warmUp, 0, () => undefined);
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.say(`reach, round ${round} of ${bench.rounds}`);
    await everyCase(bench, measured, bench.seconds, round, (entry, side, result) =>
      entry.taken[side].push(result),
    );
  }
  await deleteLinks(bench.client, bench.samples.read);
  return measured.map(rowOf);
}

async function compare(bench, { name, compared, after }) {
  const comparison = await compareAnswers(bench, name, compared);
  await after?.();
  return comparison;
}

/** Runs both sides in alternating order. */
async function everyCase({ sides, loader }, measured, time, round, take) {
  for (const entry of measured) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const side of order) {
      take(entry, side, await loader.run(sides[side], entry.one.load(time, round, side)));
      await entry.one.after?.();
    }
  }
}

function rowOf({ one, comparison, taken }) {
  const [service, yardstick] = taken.map(medians);
  const ratio = rounded(service.rps / yardstick.rps);
  const row = {
    case: one.name,
    service: `${Math.round(service.rps)} rps`,
    yardstick: `${Math.round(yardstick.rps)} rps`,
    ratio,
    target: one.target === null ? null : `>= ${one.target.toFixed(2)}`,
    met: one.target === null ? null : ratio >= one.target,
    measured: { service, yardstick },
  };
  return withComparison(row, comparison);
}
