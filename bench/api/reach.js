import { deleteLinks, reachCases } from './cases.js';
import { sameAnswers } from './equal.js';
import { medians, round as rounded } from '../numbers.js';

/** Requests per second of both sides, case by case and round by round, after their answers have been compared. */
export async function measureReach(bench) {
  const cases = reachCases(bench);
  const measured = cases.map((one) => ({ one, compared: 0, taken: bench.sides.map(() => []) }));
  bench.say('comparing the answers');
  for (const entry of measured) entry.compared = await compare(bench, entry.one);
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

async function compare(bench, { compared, after }) {
  let bytes = 0;
  for (const asked of compared) bytes += await sameAnswers(bench, asked);
  await after?.();
  return bytes;
}

/** Both sides after one another, which of them first in turns. */
async function everyCase({ sides, loader }, measured, time, round, take) {
  for (const entry of measured) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const side of order) {
      take(entry, side, await loader.run(sides[side], entry.one.load(time, round, side)));
      await entry.one.after?.();
    }
  }
}

function rowOf({ one, compared, taken }) {
  const [service, yardstick] = taken.map(medians);
  const ratio = rounded(service.rps / yardstick.rps);
  return {
    case: one.name,
    service: `${Math.round(service.rps)} rps`,
    beside: `${Math.round(yardstick.rps)} rps`,
    ratio,
    wanted: one.wanted === null ? null : `>= ${one.wanted.toFixed(2)}`,
    met: one.wanted === null ? null : ratio >= one.wanted,
    compared,
    measured: { service, yardstick },
  };
}
