import { availableParallelism } from 'node:os';
import { reachCases } from './api/cases.js';
import { openDatabase } from './api/database.js';
import { sizesOf } from './api/data.js';
import { CONNECTIONS, Loader } from './api/loader.js';
import { samplesOf } from './api/samples.js';
import { startService } from './api/sides.js';
import { circumstancesOf, headOf } from './api/world.js';
import { countBusy, readUsage } from './cores/processes.js';
import { report } from './cores/report.js';
import { resultOf, scalingOf } from './cores/result.js';
import { differenceOf } from './numbers.js';

const LISTS = 2;
const MAX_TRIES = 20;
/** Of each process in the first round, for each second of the others: then its code is optimized. */
const WARM_UP_REQUESTS = 2_000;
const START_SECONDS = 1;

/**
 * Requests per second of the first page of the list with one API process, with two, and with one for each core, and what each
 * used of the machine: PostgreSQL and the clients share it.
 */
export async function measure({ data, recordings, rounds, seconds, say }) {
  const database = await openDatabase({ data, recordings, say });
  const { client } = database;
  const bench = { database, client, sizes: sizesOf(recordings), rounds, seconds, compare: true, say };
  const cases = reachCases({ client, seconds, samples: await samplesOf(client) }).slice(0, LISTS);
  const loader = new Loader();
  const sides = [];
  for (const processes of new Set([1, 2, Math.max(2, availableParallelism())])) {
    say(`${processes} processes`);
    const side = await startService(database, { WEB_CONCURRENCY: String(processes) });
    await untilAllAnswer(side, processes, () => loader.run(side, cases[0].load(START_SECONDS, 0)));
    sides.push({ side, processes });
  }

  const measured = cases.flatMap(({ name, load }) =>
    sides.map(({ side, processes }) => ({ name, processes, side, load, taken: [] })),
  );
  for (let round = 0; round <= rounds; round += 1) {
    say(round === 0 ? 'warming up' : `cores, round ${round} of ${rounds}`);
    // Every other round in reverse, so that none always follows the same one.
    for (const { processes, side, load, taken } of round % 2 === 0 ? measured : measured.toReversed()) {
      // As many for each process: with fewer, it would wake up for each request, which costs more than several at once.
      const order = { ...load(seconds, round), connections: CONNECTIONS * processes };
      if (round === 0) {
        await loader.run(side, { ...order, amount: Math.round(WARM_UP_REQUESTS * seconds) * processes });
        continue;
      }
      const before = readUsage({ side, database, loader });
      const started = performance.now();
      const { count, rps } = await loader.run(side, order);
      const ms = performance.now() - started;
      taken.push({ count, rps, ms, ...differenceOf(before, readUsage({ side, database, loader })) });
    }
  }

  const rows = measured.map(resultOf);
  const scaling = cases.flatMap(({ name }) => {
    const [one, ...several] = rows.filter((row) => row.case === name);
    return several.map((row) => scalingOf(one, row));
  });
  const circumstances = circumstancesOf(bench);
  process.stdout.write(`${headOf(circumstances)}\n\n${report({ rows, scaling })}\n`);
  const missed = scaling.filter(({ met }) => met === false);
  return {
    ...circumstances,
    rows,
    scaling,
    missed: missed.map((row) => `${row.case}: ${row.possible} times one (>= ${row.target})`),
  };
}

/** Until every process answers: the service is ready as soon as its first one is. */
async function untilAllAnswer(side, processes, work) {
  let busy = null;
  for (let tried = 1; tried <= MAX_TRIES && busy !== processes; tried += 1)
    busy = await countBusy(side, work);
  // Where they cannot be counted, they have had the time to start.
  if (busy === null || busy === processes) return;
  throw new Error(`the service with WEB_CONCURRENCY=${processes} does not answer with as many processes`);
}
