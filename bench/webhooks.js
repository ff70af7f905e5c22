import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from './fairness/database.js';
import { round as rounded } from './numbers.js';
import { table } from './table.js';
import { startReceivers } from './webhooks/receivers.js';
import { prepareWorld } from './webhooks/world.js';

/** Of ten receivers, so many never answer. */
const HANGING_OF_TEN = 3;
/** Seconds until the receivers that answer have been sent everything. */
const TARGET_SECONDS = 60;
const GIVE_UP_SECONDS = 300;
const POLL_MS = 20;

/**
 * Measures how long webhooks take while others hang: `events` changes of recordings, each sent to one of `endpoints` receivers
 * of as many users.
 */
export async function measure({ data, events, endpoints, say }) {
  const server = await openServer(data, 'webhooks');
  const receivers = await startReceivers((n) => n % 10 < HANGING_OF_TEN);
  say(`${endpoints} users, each with a webhook`);
  const world = await prepareWorld(server, { endpoints, urlOf: receivers.urlOf });
  const healthy = Array.from({ length: endpoints }, (_, n) => n).filter((n) => n % 10 >= HANGING_OF_TEN);
  // Of ten recordings.
  const perEndpoint = 10 * Math.ceil(events / endpoints / 10);
  const expected = healthy.length * perEndpoint;
  say(`${perEndpoint * endpoints} events, of which ${expected} go to receivers that answer`);
  receivers.reset();
  const started = performance.now();
  const causing = world.cause(perEndpoint);
  const seconds = () => (performance.now() - started) / 1000;
  while (receivers.answered() < expected && seconds() < GIVE_UP_SECONDS) await sleep(POLL_MS);
  const taken = seconds();
  const { causedAfter } = await causing;
  const times = receivers.times(started).sort((a, b) => a - b);
  const at = (share) => rounded(times[Math.min(times.length - 1, Math.floor(times.length * share))] / 1000);
  const result = {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    postgres: server.version,
    loadAverage: loadavg().map((value) => rounded(value))[0],
    events: perEndpoint * endpoints,
    endpoints,
    hanging: endpoints - healthy.length,
    target: { seconds: TARGET_SECONDS },
    causedSeconds: rounded(causedAfter / 1000),
    delivered: receivers.answered(),
    expected,
    seconds: rounded(taken),
    median: at(0.5),
    p99: at(0.99),
    perSecond: rounded(receivers.answered() / taken),
    kept: receivers.kept(),
  };
  process.stdout.write(`${report(result)}\n`);
  const complete = result.delivered >= expected && taken <= TARGET_SECONDS;
  return {
    ...result,
    missed: complete ? [] : [`webhooks: ${result.delivered} of ${expected} after ${result.seconds} s`],
  };
}

function report(result) {
  const head = `Webhooks: ${result.events} events to ${result.endpoints} receivers, ${result.hanging} of which hang; ${result.cores} cores, Node ${result.node}, PostgreSQL ${result.postgres}; target: all to the others within ${result.target.seconds} s`;
  const rows = [
    ['all changes committed, after s', String(result.causedSeconds)],
    [`delivered (of ${result.expected})`, String(result.delivered)],
    ['half of them, after s', String(result.median)],
    ['99 %, after s', String(result.p99)],
    ['all of them, after s', String(result.seconds)],
    ['per second', String(result.perSecond)],
    ['most requests to the receivers that hang at once', String(result.kept)],
  ];
  return [head, '', ...table(['case', 'measured'], rows)].join('\n');
}
