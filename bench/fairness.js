import { cpus, loadavg } from 'node:os';
import { openServer } from './fairness/database.js';
import { COMMON_OPERATIONS } from './fairness/good-user.js';
import { loadsNamed } from './fairness/loads.js';
import { table } from './fairness/report.js';
import { measureRound } from './fairness/round.js';
import { overRounds } from './fairness/samples.js';
import { prepareWorld } from './fairness/world.js';
import { median, round as rounded } from './numbers.js';

/** Milliseconds. A lower quiet p99 is raised to this, as the scheduler of a busy machine alone adds some delay. */
const FLOOR_MS = 10;

/**
 * Measures how long one user waits while another sends the most expensive requests. `loads`: their names, see
 * `loadsNamed`; `rounds`: how often each is measured, interleaved with the others; `seconds`: how long; `segments`: in the
 * longest transcript.
 */
export async function measure({ data, rounds, seconds, segments, loads: names, say }) {
  const loads = loadsNamed(names);
  const [loadAverage] = loadavg().map((value) => rounded(value));
  if (loadAverage > cpus().length / 2)
    say(`load average ${loadAverage}: this machine is too busy for reliable measurements`);
  const server = await openServer(data);
  const world = await prepareWorld(server, { segments, say });
  const measured = loads.map((load) => ({ load, taken: [] }));
  const warmUp = Math.min(2, seconds);
  for (let round = 1; round <= rounds; round += 1) {
    for (const { load, taken } of measured) {
      say(`load ${load.id} (${load.title}), round ${round} of ${rounds}`);
      taken.push(await measureRound({ server, world, load, seconds, warmUp }));
    }
  }
  const quiet = quietOf(measured.flatMap(({ taken }) => taken));
  const result = {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    postgres: server.version,
    loadAverage,
    rounds,
    seconds,
    segments,
    target: { floor: FLOOR_MS },
    refused: world.refused,
    quiet: finite(quiet),
    loads: finite(measured.map((one) => rowOf(one, quiet))),
  };
  process.stdout.write(`${headOf(result)}\n\n${table(result)}`);
  return { ...result, missed: missedIn(result) };
}

/** Across all rounds of all loads, which gives far more samples than one load. */
function quietOf(taken) {
  return summaryOf(
    COMMON_OPERATIONS,
    taken.map(({ quiet }) => quiet),
  );
}

function summaryOf(names, phases) {
  const operations = names.map((name) => [name, overRounds(phases.map((one) => one.operations[name]))]);
  return {
    operations: Object.fromEntries(operations),
    completed: rounded(median(phases.map(({ completed }) => completed))),
  };
}

function rowOf({ load, taken }, quiet) {
  const { operations, completed } = summaryOf(
    COMMON_OPERATIONS,
    taken.map(({ loaded }) => loaded),
  );
  const judged = COMMON_OPERATIONS.map((name) => {
    const ratio = rounded(operations[name].p99 / Math.max(FLOOR_MS, quiet.operations[name].p99));
    return [name, { ...operations[name], ratio, met: load.judged ? ratio <= load.ratio : null }];
  });
  const further = load.measures.map((name) => {
    const over = (phase) => overRounds(taken.map((one) => one[phase].operations[name]));
    return [name, { quiet: over('quiet'), loaded: over('loaded') }];
  });
  return {
    id: load.id,
    load: load.title,
    connections: load.connections,
    target: load.judged ? load.ratio : null,
    operations: Object.fromEntries(judged),
    completed,
    further: Object.fromEntries(further),
    replies: sumOf(taken.map(({ replies }) => replies)),
  };
}

function sumOf(counts) {
  const sum = {};
  for (const [status, count] of counts.flatMap(Object.entries)) sum[status] = (sum[status] ?? 0) + count;
  return sum;
}

/** JSON has no infinity: a missing reply becomes null. */
const finite = (value) =>
  JSON.parse(JSON.stringify(value, (_, inner) => (inner === Infinity ? null : inner)));

function missedIn({ loads }) {
  return loads.flatMap(({ id, operations }) =>
    Object.entries(operations)
      .filter(([, { met }]) => met === false)
      .map(([name]) => `${name} under load ${id}`),
  );
}

function headOf({ cores, node, postgres, rounds, seconds, target }) {
  return `Fairness: p99 of one user while another sends a load; ${cores} cores, Node ${node}, PostgreSQL ${postgres}; medians of ${rounds} rounds of ${seconds} s; quiet values below ${target.floor} ms count as such`;
}
