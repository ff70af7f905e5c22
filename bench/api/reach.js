import { deleteLinks, reachCases } from './cases.js';
import { compareAnswers, withComparison } from './comparison.js';
import { median, medians, round as rounded } from '../numbers.js';

/**
 * Requests per second of both sides, case by case and round by round, after comparing their replies. `names`: only these
 * cases.
 */
export async function measureReach(bench, names = null) {
  const cases = reachCases(bench).filter(({ name }) => names === null || names.includes(name));
  const measured = cases.map((one) => ({ one, comparison: {}, taken: bench.sides.map(() => []) }));
  if (bench.compare) bench.say('comparing replies');
  for (const entry of measured) {
    await entry.one.before?.();
    entry.comparison = await compare(bench, entry.one);
  }
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

/** Their CPU time per request, which depends far less on what else the machine does than requests per second. */
export function cpuPart(rows) {
  return {
    title: 'CPU time per request in the process of the service, and of the yardstick',
    rows: rows.map(({ case: name, measured: { service, yardstick } }) => ({
      case: name,
      service: inMicroseconds(service),
      yardstick: inMicroseconds(yardstick),
      ratio: yardstick.cpu ? rounded(service.cpu / yardstick.cpu) : null,
      target: null,
      met: null,
      measured: { service: service.cpu, yardstick: yardstick.cpu },
    })),
    note: rows.some(({ measured }) => measured.service.cpu === null) ? 'known only on Linux' : undefined,
  };
}

const inMicroseconds = ({ cpu }) => (cpu === null ? null : `${Math.round(cpu)} µs`);

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
  const [service, yardstick] = taken.map(resultOf);
  const ratio = rounded(medianRatio(taken));
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

function resultOf(rounds) {
  const cpu = cpuPerRequest(rounds);
  return { ...medians(rounds.map(({ rps, p50, p99 }) => ({ rps, p50, p99 }))), cpu: cpu && rounded(cpu, 1) };
}

/** Over all rounds: one of them is short beside the unit in which the kernel counts. */
function cpuPerRequest(rounds) {
  if (rounds.some(({ cpu }) => cpu === null)) return null;
  const sum = (field) => rounds.reduce((total, one) => total + one[field], 0);
  return sum('cpu') / sum('count');
}

/**
 * Of the ratios of each round. What slows the machine for some rounds slows both sides of them; the medians of the two sides
 * would be of different rounds.
 */
function medianRatio([service, yardstick]) {
  return median(service.map(({ rps }, round) => rps / yardstick[round].rps));
}
