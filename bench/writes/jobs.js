import { setTimeout as sleep } from 'node:timers/promises';
import { readCounters } from '../costs/counters.js';
import { HttpClient } from '../fairness/http-client.js';
import { differenceOf, median, round as rounded } from '../numbers.js';
import { startWorker } from './sides.js';
import { addRecordings, removeRecordings } from './writers.js';

const DELETED = 1_000;
/** Somebody waits for it. */
const MAX_DELETE_MS = 1_500;
/** Readers of events and webhooks are to follow what happens. */
const MAX_PUBLISH_MS = 2_000;
const DEADLINE_MS = 120_000;
const POLL_MS = 5;

/** Milliseconds that many changes take: a request that deletes recordings, and a worker that publishes events. */
export async function measureJobs(bench) {
  const deletions = [];
  const publications = [];
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.say(`much at once, round ${round} of ${bench.rounds}`);
    deletions.push(await deleteMany(bench));
  }
  await bench.service.stop();
  const worker = startWorker(bench.database);
  await untilNone(bench, 'graphile_worker.jobs WHERE run_at <= now()');
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.say(`publishing, round ${round} of ${bench.rounds}`);
    publications.push(await publish(bench, worker));
  }
  await worker.stop();
  return [
    rowOf(`POST /recordings/bulk, ${DELETED} deleted`, deletions, MAX_DELETE_MS),
    rowOf(
      `${bench.events} events published`,
      publications,
      MAX_PUBLISH_MS * Math.max(1, bench.events / 10_000),
    ),
  ];
}

async function deleteMany({ database, client, writers, service }) {
  const [writer] = writers;
  const recordings = await addRecordings(client, [writer], DELETED);
  const http = new HttpClient({ base: service.base, key: writer.key, connections: 1, timeout: DEADLINE_MS });
  const before = await readCounters({ database, side: service });
  const body = { ids: recordings.map(({ id }) => id), action: 'delete', mode: 'all' };
  const { status, ms } = await http.api('POST', '/recordings/bulk', body);
  http.close();
  if (status !== 200) throw new Error(`bulk deletion returned ${status ?? 'nothing'}`);
  const used = differenceOf(before, await readCounters({ database, side: service }));
  await removeRecordings(client, writers);
  return { ms, ...used };
}

/** Changes that many recordings in one transaction; the time from its commit to the last event. */
async function publish({ client, writers, events, ...bench }, worker) {
  await addRecordings(client, writers, events);
  await untilNone({ client, ...bench }, 'unpublished_changes');
  const before = await readCounters({ database: bench.database, side: worker });
  await client.query(`UPDATE recordings SET title = 'Renamed' WHERE owner_id = ANY ($1::uuid[])`, [
    writers.map(({ id }) => id),
  ]);
  const started = performance.now();
  await untilNone({ client, ...bench }, 'unpublished_changes');
  const ms = performance.now() - started;
  const used = differenceOf(before, await readCounters({ database: bench.database, side: worker }));
  await removeRecordings(client, writers);
  await untilNone({ client, ...bench }, 'unpublished_changes');
  return { ms, ...used };
}

async function untilNone({ client }, rows) {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const { rowCount } = await client.query(`SELECT FROM ${rows} LIMIT 1`);
    if (rowCount === 0) return;
    if (performance.now() > deadline) throw new Error(`there are still ${rows}`);
    await sleep(POLL_MS);
  }
}

function rowOf(name, taken, max) {
  const ms = rounded(median(taken.map((each) => each.ms)), 0);
  const [cpu, postgres, wal] = ['process', 'postgres', 'wal'].map((field) =>
    taken[0][field] === null ? null : median(taken.map((each) => each[field])),
  );
  return {
    case: name,
    service: `${ms} ms`,
    yardstick: null,
    ratio: null,
    target: `<= ${max} ms`,
    met: ms <= max,
    cpu: [cpu, postgres, null, null],
    wal,
    measured: { ms, cpu: [cpu, postgres], wal },
  };
}
