import { cpus } from 'node:os';
import { Asker } from './api/asks.js';
import { sizesOf } from './api/data.js';
import { openDatabase } from './api/database.js';
import { measureCursor, measureDepth } from './api/depth.js';
import { measureGrowth } from './api/growth.js';
import { Loader } from './api/loader.js';
import { measureMedia, writeMedia } from './api/media.js';
import { measureMemory } from './api/memory.js';
import { measureFloor } from './api/pgbench.js';
import { measureReach } from './api/reach.js';
import { tables } from './api/report.js';
import { samplesOf } from './api/samples.js';
import { startService, startYardstick } from './api/sides.js';
import { measureStart } from './api/start.js';

/**
 * Measures the API on a database of this many recordings against a server that does the same work by hand. `rounds`: how
 * often each measurement is repeated, interleaved with the others; `seconds`: how long each takes; `compare`: whether cases
 * whose replies differ are marked as not comparable.
 */
export async function measure({ data, recordings, rounds, seconds, compare, say }) {
  const database = await openDatabase({ data, recordings, say });
  const { client } = database;
  const sizes = sizesOf(recordings);
  const samples = await samplesOf(client);
  const media = await writeMedia(database, samples.read[0]);
  const sides = [await startService(database), await startYardstick(database, media.file)];
  const [asker, loader] = [new Asker(), new Loader()];
  const times = { rounds, seconds, warmUp: Math.min(1, seconds / 3) };
  const bench = {
    database,
    client,
    recordings,
    sizes,
    samples,
    sides,
    asker,
    loader,
    ...times,
    compare,
    say,
  };

  const parts = [
    { title: 'Reach: service and yardstick', rows: await measureReach(bench) },
    {
      title: `Growth: an organization of ${sizes.large} vs. one of ${sizes.few}`,
      rows: await measureGrowth(bench),
    },
    { title: `Search and depth: the owner of ${sizes.large}`, ...(await depth(bench)) },
    { title: 'Media: service and bare createReadStream', rows: await measureMedia(bench, media) },
  ];
  for (const side of sides) await side.stop();
  parts.push(
    {
      title: 'Memory and start of the service',
      rows: [await measureMemory(bench), await measureStart(bench)],
    },
    { title: 'Floor: the statements of the yardstick alone', ...(await floor(bench)) },
  );
  const circumstances = {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    postgres: database.version,
    rounds,
    seconds,
    compared: compare,
    sizes,
  };
  process.stdout.write(`${headOf(circumstances)}\n\n${tables(parts)}`);
  return { ...circumstances, parts };
}

async function depth(bench) {
  const rows = await measureDepth(bench);
  const cursor = await measureCursor(bench);
  return cursor
    ? { rows: [...rows, cursor] }
    : { rows, note: 'cursor: not measured, as replies have no pagination.next_cursor' };
}

async function floor(bench) {
  const rows = await measureFloor(bench);
  return rows ? { rows } : { rows: [], note: 'pgbench: not measured, as it is not installed' };
}

function headOf({ cores, node, postgres, rounds, seconds, compared, sizes }) {
  const replies = compared ? '' : '; replies not compared';
  return `${sizes.recordings} recordings, ${cores} cores, Node ${node}, PostgreSQL ${postgres}; medians of ${rounds} rounds of ${seconds} s${replies}`;
}
