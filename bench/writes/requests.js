import { readCounters } from '../costs/counters.js';
import { differenceOf, median, round as rounded } from '../numbers.js';
import { writeCases } from './cases.js';
import { differenceOf as rowThatDiffers, watchRows } from './same-rows.js';
import { removeRecordings } from './writers.js';

/** Every case on both sides, round by round, after comparing the rows that one request of each writes. */
export async function measureRequests(bench) {
  const measured = writeCases(bench).map((one) => ({ one, taken: [[], []], differs: undefined }));
  for (const entry of measured) {
    if (bench.compare) entry.differs = await compare(bench, entry.one);
  }
  for (let round = 0; round <= bench.rounds; round += 1) {
    // The first warms up.
    bench.say(round === 0 ? 'warming up' : `writes, round ${round} of ${bench.rounds}`);
    for (const { one, taken } of measured) {
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const result = await runOnce(bench, one, side, round);
        if (round > 0) taken[side].push(result);
      }
    }
  }
  return measured.map(rowOf);
}

/**
 * `speed`: requests per second, or milliseconds of each; `process` and `postgres`: microseconds of CPU of each, in the
 * process of the side and in PostgreSQL, null where the kernel does not say; `wal`: bytes of WAL of each.
 */
async function runOnce({ database, client, writers, sides, loader, asker, seconds }, one, number, round) {
  const side = sides[number];
  const amount = one.amount(round === 0 ? seconds / 3 : seconds);
  const requests = await one.prepare(writers, amount, 2 * round + number);
  const before = await readCounters({ database, side });
  const speed = one.together
    ? (await loader.run(side, { requests, once: true, status: one.status })).rps
    : await oneByOne(asker, side, requests);
  const used = differenceOf(before, await readCounters({ database, side }));
  await removeRecordings(client, writers);
  const [process, postgres, wal] = [used.process, used.postgres, used.wal].map((each) =>
    each === null ? null : each / amount,
  );
  return { speed, process, postgres, wal };
}

async function oneByOne(asker, side, requests) {
  const taken = [];
  for (const request of requests) taken.push(await succeed(asker, side, request));
  return median(taken);
}

async function succeed(asker, side, request) {
  const { status, body, ms } = await asker.answer(side, request);
  if (status >= 300)
    throw new Error(`${side.name}: ${request.method} ${request.path} returned ${status}: ${body}`);
  return ms;
}

/** The first row in which one request to each side differs. */
async function compare({ client, writers, sides, asker, say }, one) {
  const written = [];
  for (const [number, side] of sides.entries()) {
    const user = writers[number];
    const [request] = await one.prepare([user], 1, 0);
    const watched = await watchRows(client);
    await succeed(asker, side, request);
    const id = request.path.split('/')[4] ?? (await newestOf(client, user));
    written.push(await watched.read(id, user.id));
    await removeRecordings(client, writers);
  }
  const difference = rowThatDiffers(...written);
  if (difference) say(`${one.name}: ${difference}`);
  return difference ?? undefined;
}

async function newestOf(client, { id }) {
  const { rows } = await client.query(
    'SELECT id FROM recordings WHERE owner_id = $1 ORDER BY created_at DESC LIMIT 1',
    [id],
  );
  return rows[0].id;
}

function rowOf({ one, taken, differs }) {
  const [service, byHand] = taken.map((rounds) => rounded(median(rounds.map(({ speed }) => speed))));
  const cpu = taken.flatMap((rounds) => ['process', 'postgres'].map((field) => medianOf(rounds, field)));
  const unit = one.together ? 'rps' : 'ms';
  const shown = (speed) => `${one.together ? Math.round(speed) : speed} ${unit}`;
  const ratio = rounded(service / byHand);
  return {
    case: one.name,
    service: shown(service),
    yardstick: shown(byHand),
    ratio,
    target: `${one.together ? '>=' : '<='} ${one.target.toFixed(2)}`,
    met: differs ? null : one.together ? ratio >= one.target : ratio <= one.target,
    differs,
    cpu,
    wal: medianOf(taken[0], 'wal'),
    measured: { service, byHand, cpu, wal: medianOf(taken[0], 'wal') },
  };
}

const medianOf = (rounds, field) =>
  rounds[0][field] === null ? null : median(rounds.map((each) => each[field]));
