import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { keyOf, LARGE } from './data.js';
import { median } from '../numbers.js';
import { startProcess } from '../processes.js';
import { DETAIL } from '../yardstick/detail.js';
import { hashOf, KEY } from '../yardstick/key.js';
import { listStatement } from '../yardstick/list.sql.js';
import { TRANSCRIPT } from '../yardstick/transcript.js';

const CLIENTS = 10;
const DEBIAN = '/usr/lib/postgresql';
/** Per client when the time is under a second, as `pgbench` only has whole seconds. */
const FEW_TRANSACTIONS = '20';

/** Transactions per second of the yardstick's statements alone, sent by `pgbench`. Null without pgbench. */
export async function measureFloor(bench) {
  const pgbench = findPgbench();
  if (!pgbench) return null;
  const scripts = await scriptsOf(bench);
  const taken = scripts.map(() => []);
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.say(`pgbench, round ${round} of ${bench.rounds}`);
    for (const [index, { file }] of scripts.entries()) taken[index].push(await run(pgbench, bench, file));
  }
  return scripts.map(({ name }, index) => {
    const tps = Math.round(median(taken[index]));
    return {
      case: `pgbench: ${name}`,
      service: null,
      yardstick: `${tps} tps`,
      ratio: null,
      target: null,
      met: null,
      measured: { tps },
    };
  });
}

function findPgbench() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().toReversed() : [];
  return [...folders, ...versions.map((version) => join(DEBIAN, version, 'bin'))]
    .map((folder) => join(folder, 'pgbench'))
    .find((file) => existsSync(file));
}

/** A file per case with two statements: the key's and the work's. */
async function scriptsOf({ database, client, samples }) {
  const { rows } = await client.query({ ...KEY, values: [hashOf(keyOf('editor'))] });
  const caller = { editor: rows[0].id };
  caller.personal = (await client.query({ ...KEY, values: [hashOf(keyOf('personal'))] })).rows[0].id;
  const list = (person, query) => {
    const { statement, values } = listStatement(caller[person], new URLSearchParams(query));
    return { person, statement, values };
  };
  const cases = {
    'key, list, personal owner': list('personal', ''),
    'key, list, EDITOR in the large organization': list('editor', { organization_id: LARGE }),
    'key, one recording': {
      person: 'editor',
      statement: DETAIL,
      values: [{ ids: samples.read }, caller.editor],
    },
    'key, transcript of 50 chunks': {
      person: 'editor',
      statement: TRANSCRIPT,
      values: [{ ids: samples.long }, caller.editor, 0, 50],
    },
  };
  return Object.entries(cases).map(([name, { person, statement, values }], index) => {
    const file = join(database.folder, `pgbench-${index}.sql`);
    const key = written(KEY.text, [`\\x${hashOf(keyOf(person)).toString('hex')}`]);
    const count = values[0].ids?.length ?? 1;
    writeFileSync(file, `\\set n random(1, ${count})\n${key};\n${written(statement.text, values)};\n`);
    return { name, file };
  });
}

/** A statement for pgbench, in one line: values inlined, the `n`th of several ids. */
function written(text, values) {
  return (
    text
      .replace(/\$(\d+)/g, (_, number) => {
        const value = values[number - 1];
        if (value.ids) return `(ARRAY[${value.ids.map((id) => `'${id}'`).join(', ')}])[:n]`;
        return pg.escapeLiteral(String(value)).trim();
      })
      .replace(/\s+/g, ' ')
      // In time formats, pgbench would read the text after a colon as a variable.
      .replace(/:(MI|SS)/g, "' || ':' || '$1")
  );
}

async function run(pgbench, { database, seconds }, file) {
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const env = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
    PGOPTIONS: '-c plan_cache_mode=force_generic_plan',
  };
  const amount = seconds < 1 ? ['-t', FEW_TRANSACTIONS] : ['-T', String(Math.ceil(seconds))];
  const load = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', ...amount];
  const started = startProcess(pgbench, [...load, '-f', file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, said] = ['', ''];
  started.child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  started.child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  await started.ended;
  const tps = /^tps = ([\d.]+)/m.exec(output)?.[1];
  if (started.child.exitCode !== 0 || !tps) throw new Error(`${pgbench} failed: ${said || output}`);
  return Number(tps);
}
