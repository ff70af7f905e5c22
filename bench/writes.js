import { cpus } from 'node:os';
import { Asker } from './api/asks.js';
import { Loader } from './api/loader.js';
import { startService } from './api/sides.js';
import { table } from './table.js';
import { openCopy } from './writes/database.js';
import { measureJobs } from './writes/jobs.js';
import { measureRequests } from './writes/requests.js';
import { startByHand } from './writes/sides.js';
import { addWriters } from './writes/writers.js';

const CPU = ['CPU of the service', 'and PostgreSQL', 'by hand', 'and PostgreSQL'];
const HEAD = ['case', 'service', 'by hand', 'ratio', 'target', 'met', 'WAL', ...CPU];

/**
 * Measures writes against a server that makes the same changes by hand in SQL, on the data of the API bench with
 * 200,000 recordings, or fewer. `rounds`, `seconds`, `compare`: as there; compared are the rows that are written.
 */
export async function measure({ data, recordings, events, rounds, seconds, compare, say }) {
  const database = await openCopy({ data, recordings, say });
  const { client } = database;
  const writers = await addWriters(client);
  const sides = [await startService(database), await startByHand(database)];
  const bench = { database, client, writers, sides, rounds, seconds, compare, say };
  const requests = await measureRequests({ ...bench, asker: new Asker(), loader: new Loader() });
  await sides[1].stop();
  const jobs = await measureJobs({ ...bench, service: sides[0], events });
  const circumstances = {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    postgres: database.version,
    recordings: database.recordings,
    rounds,
    seconds,
  };
  const parts = [
    { title: 'Requests: service and by hand', rows: requests },
    { title: 'Much at once', rows: jobs },
  ];
  process.stdout.write(`${report(circumstances, parts)}\n`);
  const missed = [...requests, ...jobs]
    .filter(({ met }) => met === false)
    .map((row) => `writes: ${row.case}`);
  return { ...circumstances, parts, missed };
}

function report({ recordings, cores, node, postgres, rounds, seconds }, parts) {
  const machine = `${cores} cores, Node ${node}, PostgreSQL ${postgres}`;
  const head = `${recordings} recordings, ${machine}; medians of ${rounds} rounds of ${seconds} s`;
  const tables = parts.map(({ title, rows }) => [title, ...table(HEAD, rows.map(cells))].join('\n'));
  return [head, ...tables].join('\n\n');
}

function cells({ case: name, service, yardstick, ratio, target, met, differs, cpu, wal }) {
  const used = cpu.map((microseconds) => (microseconds === null ? '-' : `${Math.round(microseconds)} µs`));
  const verdict = differs ? 'not comparable' : met === null ? '-' : met ? 'yes' : 'NO';
  return [
    name,
    service,
    yardstick ?? '-',
    ratio === null ? '-' : ratio.toFixed(2),
    target ?? '-',
    verdict,
    `${(wal / 1_000).toFixed(1)} kB`,
    ...used,
  ];
}
