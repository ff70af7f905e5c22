import { cpus } from 'node:os';
import { Asker } from './asks.js';
import { sizesOf } from './data.js';
import { Loader } from './loader.js';
import { writeMedia } from './media.js';
import { samplesOf } from './samples.js';
import { startService, startYardstick } from './sides.js';

/**
 * The service and the yardstick on a generated database, and what sends them requests. `rounds`: how
 * often each measurement is repeated, interleaved with the others; `seconds`: how long each takes; `compare`: whether cases
 * whose replies differ are marked as not comparable; `urlOfSide`: gives each side its own URL of the database, in this order.
 */
export async function openWorld(database, { rounds, seconds, warmUp, compare, say, urlOfSide }) {
  const { client } = database;
  const forSide = async () => ({ ...database, url: await (urlOfSide?.(database.url) ?? database.url) });
  const samples = await samplesOf(client);
  const media = await writeMedia(database, samples.read[0]);
  return {
    database,
    client,
    sizes: sizesOf(database.recordings),
    samples,
    media,
    sides: [await startService(await forSide()), await startYardstick(await forSide(), media.file)],
    asker: new Asker(),
    loader: new Loader(),
    rounds,
    seconds,
    warmUp: warmUp ?? Math.min(1, seconds / 3),
    compare,
    say,
  };
}

export function circumstancesOf({ database, rounds, seconds, compare, sizes }) {
  return {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    postgres: database.version,
    rounds,
    seconds,
    compared: compare,
    sizes,
  };
}

/** The circumstances in one line; `what`: the numbers are of the rounds. */
export function headOf({ cores, node, postgres, rounds, seconds, compared, sizes }, what = 'medians') {
  const replies = compared ? '' : '; replies not compared';
  return `${sizes.recordings} recordings, ${cores} cores, Node ${node}, PostgreSQL ${postgres}; ${what} of ${rounds} rounds of ${seconds} s${replies}`;
}
