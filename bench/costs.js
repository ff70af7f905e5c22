import { reachCases } from './api/cases.js';
import { compareAnswers, withComparison } from './api/comparison.js';
import { circumstancesOf, headOf, openWorld } from './api/world.js';
import { COUNTING, readCounters } from './costs/counters.js';
import { report } from './costs/report.js';
import { StatementCounter } from './costs/statement-counter.js';
import { differenceOf, round as rounded } from './numbers.js';
import { writeCases } from './writes/cases.js';
import { openCopy } from './writes/database.js';
import { addWriters, removeRecordings } from './writes/writers.js';

const WRITES = new Set(['POST /recordings', 'PATCH /recordings/:id, the title', 'DELETE /recordings/:id']);

/**
 * Measures what a request costs, one at a time: CPU time of the process and of PostgreSQL, statements, and bytes of WAL; on a
 * copy of the database. See `openWorld` for the options.
 */
export async function measure(options) {
  const database = await openCopy({ ...options, settings: COUNTING });
  const statements = [];
  const counted = async (url) => {
    statements.push(await StatementCounter.open(url));
    return statements.at(-1).url;
  };
  const bench = await openWorld(database, { ...options, urlOfSide: counted });
  const read = (index) => readCounters({ database, side: bench.sides[index], counter: statements[index] });
  const comparisons = await compareReads(bench);
  const measured = [...reads(bench), ...(await writes(bench))].map((one) => ({ ...one, taken: [] }));
  for (let round = 0; round <= bench.rounds; round += 1) {
    if (round > 0) bench.say(`costs, round ${round} of ${bench.rounds}`);
    for (const { side, load, after, taken } of measured) {
      // The first round warms up.
      const order = await load(round > 0 ? bench.seconds : bench.warmUp, round);
      const before = await read(side);
      const { count } = await bench.loader.run(bench.sides[side], { ...order, connections: 1 });
      if (round > 0) taken.push({ count, ...differenceOf(before, await read(side)) });
      await after?.();
    }
  }
  const rows = measured.map((one) => withComparison(rowOf(one, bench.sides), comparisons[one.name] ?? {}));
  const circumstances = circumstancesOf(bench);
  process.stdout.write(`${headOf(circumstances, 'averages')}\n\n${report(rows)}\n`);
  return { ...circumstances, parts: [{ rows }] };
}

/** The comparison of each case, by name. It also creates the links that are requested again. */
async function compareReads(bench) {
  const comparisons = {};
  for (const { name, compared, after } of reachCases(bench)) {
    comparisons[name] = await compareAnswers({ ...bench, compare: true }, name, compared);
    await after?.();
  }
  return comparisons;
}

/** What both sides are sent. `side`: the service is 0, the yardstick 1. */
function reads(bench) {
  return reachCases(bench).flatMap(({ name, load, after }) =>
    bench.sides.map((_, side) => ({
      name,
      side,
      load: (time, round) => load(time, round, side),
      after,
    })),
  );
}

/** What only the service is sent. */
async function writes({ client, seconds }) {
  const writers = await addWriters(client);
  const cases = writeCases({ client, writers, seconds }).filter(({ name }) => WRITES.has(name));
  return cases.map(({ name, status, amount, prepare }) => ({
    name,
    side: 0,
    load: async (time, round) => ({
      requests: await prepare(writers, amount(time), round),
      once: true,
      status,
    }),
    after: () => removeRecordings(client, writers),
  }));
}

/** Over all rounds: in one of them, the unit in which the kernel counts CPU time may be more than a hundredth. */
function rowOf({ name, side, taken }, sides) {
  const perRequest = (field) => {
    if (taken.some((one) => one[field] === null)) return null;
    const [used, count] = [field, 'count'].map((each) => taken.reduce((sum, one) => sum + one[each], 0));
    return rounded(used / count);
  };
  return {
    case: name,
    side: sides[side].name,
    requests: taken.reduce((sum, { count }) => sum + count, 0),
    process: perRequest('process'),
    postgres: perRequest('postgres'),
    statements: perRequest('statements'),
    wal: perRequest('wal'),
  };
}
