import { openDatabase } from './api/database.js';
import { measureCursor, measureDepth } from './api/depth.js';
import { measureGrowth } from './api/growth.js';
import { measureMedia } from './api/media.js';
import { measureMemory } from './api/memory.js';
import { measureFloor } from './api/pgbench.js';
import { cpuPart, measureReach } from './api/reach.js';
import { missedIn, tables } from './api/report.js';
import { measureStart } from './api/start.js';
import { circumstancesOf, headOf, openWorld } from './api/world.js';

/** Measures the API against a server that does the same work by hand; see `openWorld` for the options. */
export async function measure({ requests, ...options }) {
  const bench = await openWorld(await openDatabase(options), options);
  const { sizes } = bench;
  const reach = await measureReach(bench);
  const parts = [
    { title: 'Reach: service and yardstick', rows: reach },
    cpuPart(reach),
    {
      title: `Growth: an organization of ${sizes.large} vs. one of ${sizes.few}`,
      rows: await measureGrowth(bench),
    },
    { title: `Search and depth: the owner of ${sizes.large}`, ...(await depth(bench)) },
    { title: 'Media: service and bare createReadStream', rows: await measureMedia(bench) },
  ];
  for (const side of bench.sides) await side.stop();
  parts.push(
    {
      title: 'Memory and start of the service',
      rows: [await measureMemory(bench, requests), ...(await measureStart(bench))],
    },
    { title: 'Floor: the statements of the yardstick alone', ...(await floor(bench)) },
  );
  const circumstances = circumstancesOf(bench);
  process.stdout.write(`${headOf(circumstances)}\n\n${tables(parts)}`);
  return { ...circumstances, parts, missed: missedIn(parts) };
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
