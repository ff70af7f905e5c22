import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { wordOf } from './random-speech.js';
import { HIGH_LIMITS } from './rate-limits.js';
import { fill, keyOf, PEOPLE } from './search-data.js';

const ROUNDS = 5;
const REQUESTS = 20;

/** The queries. Each round uses another word of the same rarity, so that nothing comes from a cache. */
const QUERIES = {
  'rare word': (n) => wordOf(45_000 + n),
  'word of every tenth chunk': (n) => wordOf(250 + n),
  'common word, in most chunks': (n) => wordOf(n % 10),
  'two common words': (n) => `${wordOf(n % 10)} ${wordOf(10 + (n % 10))}`,
  'common and rare word': (n) => `${wordOf(n % 10)} ${wordOf(45_000 + n)}`,
  phrase: (n) => `"${wordOf(20 + n)} ${wordOf(30 + n)}"`,
  prefix: (n) => `${wordOf(2_000 + n).slice(0, 4)}*`,
  'common word without another': (n) => `${wordOf(n % 10)} -${wordOf(3_000 + n)}`,
};

/** Milliseconds of `GET /recordings/search` over HTTP, by query and person. */
export async function measure({ data, meetings, say }) {
  const { EmbeddedPostgres } = await import('../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const { migrate } = await import('../dist/src/platform/database/migrate.js');
  const folder = join(data, `search-${meetings}`);
  mkdirSync(folder, { recursive: true });
  // With the settings of the service.
  const server = await EmbeddedPostgres.open({ dataDir: folder });
  try {
    const filled = join(folder, 'filled');
    if (!existsSync(filled)) {
      await migrate(server.url);
      await withClient(server.url, (client) => fill(client, meetings, say));
      writeFileSync(filled, '');
    }
    const sizes = await withClient(server.url, tableSizes);
    const times = await withService(server.url, folder, ask);
    return report({ meetings, sizes, times });
  } finally {
    await server.release();
  }
}

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function withService(url, dataDir, work) {
  const { createApp, listen, stop } = await import('../dist/src/entrypoints/app.js');
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...HIGH_LIMITS,
  };
  const service = await createApp(settings);
  try {
    return await work(`http://127.0.0.1:${await listen(service)}/api/v1/recordings/search`);
  } finally {
    await stop(service);
  }
}

async function ask(address) {
  const times = [];
  for (const person of PEOPLE) {
    for (const [name, query] of Object.entries(QUERIES)) {
      const taken = [];
      let total = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let n = 0; n < REQUESTS; n += 1) {
          const started = performance.now();
          const url = `${address}?q=${encodeURIComponent(query(n))}`;
          const response = await fetch(url, { headers: { authorization: `Bearer ${keyOf(person)}` } });
          const body = await response.json();
          taken.push(performance.now() - started);
          if (response.status !== 200) throw new Error(`${url}: ${JSON.stringify(body)}`);
          total += body.pagination.total;
        }
      }
      taken.sort((a, b) => a - b);
      const at = (share) => Number(taken[Math.ceil(taken.length * share) - 1].toFixed(1));
      times.push({
        person,
        query: name,
        hits: Math.round(total / taken.length),
        median: at(0.5),
        p95: at(0.95),
      });
    }
  }
  return times;
}

async function tableSizes(client) {
  const { rows } = await client.query(
    `SELECT c.relname AS name, round(pg_relation_size(c.oid) / 1e6)::int AS megabytes,
       round(pg_total_relation_size(NULLIF(c.reltoastrelid, 0)) / 1e6)::int AS toasted
     FROM pg_class c WHERE c.relname LIKE 'search\\_entries%' OR c.relname LIKE 'search\\_words%' OR c.relname = 'transcript_chunks' ORDER BY 1`,
  );
  return rows;
}

function report({ meetings, sizes, times }) {
  const lines = times.map(({ person, query, hits, median, p95 }) =>
    [
      person.padEnd(9),
      query.padEnd(28),
      ...[hits, median, p95].map((value) => String(value).padStart(8)),
    ].join(' '),
  );
  const head = `${'caller'.padEnd(9)} ${'query'.padEnd(28)}     hits   median      p95`;
  process.stdout.write(
    `Search in ${meetings} meetings of an hour, milliseconds over HTTP\n${head}\n${lines.join('\n')}\n`,
  );
  return { meetings, wordsPerMeeting: 10_000, cores: cpus().length, node: process.version, sizes, times };
}
