import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../scripts/prepare.js';
import { onEnd } from './endings.js';
import { startProcess } from './processes.js';
import { HIGH_LIMITS } from './rate-limits.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const EMAIL = 'participant@bench.test';
const KEY = 'mrs_benchfound'.padEnd(44, '0');

/** A result further down counts as missed. */
const LOOKED_AT = 10;
const TARGETS = { mrr: 0.85, missed: 2, cited: 18 };

/**
 * How well search and questions find what people look for: forty queries with the meetings they are about, and twenty
 * questions with the segments that answer them, about real meetings. `MRS_TEST_DATA` names the folder that has these.
 */
export async function measure({ data, say }) {
  const queries = readJson(join(HERE, 'found', 'queries.json'));
  const questions = readJson(join(HERE, 'found', 'questions.json'));
  const names = [
    ...new Set([...queries.flatMap(({ relevant }) => relevant), ...questions.map(({ meeting }) => meeting)]),
  ];
  const folder = join(resolve(process.env['MRS_TEST_DATA'] ?? ''), 'meetings');
  const missing = names.filter((name) => !existsSync(join(folder, name, 'transcript.vtt')));
  if (!process.env['MRS_TEST_DATA'] || missing.length > 0) {
    say(
      `found: set MRS_TEST_DATA to a folder with meetings/${missing[0] ?? names[0]}/transcript.vtt and the other meetings of bench/found; not measured`,
    );
    return { missed: ['found: not measured'] };
  }
  return withMeetings(data, folder, names, async (ask, idOf) => {
    const found = [];
    for (const query of queries) found.push(await search(ask, idOf, query));
    const answered = [];
    for (const question of questions) answered.push(await answer(ask, idOf, question));
    return report(found, answered);
  });
}

async function search(ask, idOf, { query, kind, relevant }) {
  const { data, did_you_mean: instead } = await ask(
    `recordings/search?limit=${LOOKED_AT}&q=${encodeURIComponent(query)}`,
  );
  const wanted = relevant.map(idOf);
  const rank = 1 + data.findIndex(({ id }) => wanted.includes(id));
  const recalled = wanted.filter((id) => data.some((result) => result.id === id)).length;
  return {
    query,
    kind,
    rank: rank || null,
    recall: recalled / wanted.length,
    matched: data[0]?.matched ?? null,
    instead,
  };
}

/** Whether the answer cites what answers the question, asked about the meeting and about all of them. */
async function answer(ask, idOf, { question, meeting, segments }) {
  const id = idOf(meeting);
  const isCited = ({ start, end, recordingId = id }) =>
    recordingId === id && segments.some(([from, to]) => start < to && end > from);
  const body = { method: 'POST', body: JSON.stringify({ question }) };
  const [one, all] = [await ask(`recordings/${id}/questions`, body), await ask('questions', body)];
  return { question, one: one.data.citations.some(isCited), all: all.data?.citations.some(isCited) ?? null };
}

/** Runs `work` with a service that has the meetings. */
async function withMeetings(data, folder, names, work) {
  const { EmbeddedPostgres } = await import('../dist/src/platform/database/embedded/embedded-postgres.js');
  const { createApp, listen, stop } = await import('../dist/src/entrypoints/app.js');
  mkdirSync(data, { recursive: true });
  const dataDir = mkdtempSync(join(data, 'found-'));
  onEnd(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const server = await EmbeddedPostgres.open({ dataDir });
  try {
    await importMeetings(dataDir, folder, names);
    const settings = {
      DATABASE_URL: server.url,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      ...HIGH_LIMITS,
    };
    const service = await createApp(settings);
    try {
      const base = `http://127.0.0.1:${await listen(service)}/api/v1`;
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
      const ask = async (path, options = {}) =>
        (await fetch(`${base}/${path}`, { headers, ...options })).json();
      return await work(ask, (name) => idAt(names.indexOf(name)));
    } finally {
      await stop(service);
    }
  } finally {
    await server.release();
  }
}

const idAt = (index) => `01a1edfd-0000-7000-8000-${String(index).padStart(12, '0')}`;

async function importMeetings(dataDir, folder, names) {
  const recordings = names.map((name, index) => {
    cpSync(join(folder, name, 'transcript.vtt'), join(dataDir, `${name}.vtt`));
    const { meeting } = readJson(join(folder, name, 'tldr.json'));
    return { id: idAt(index), owner: EMAIL, title: meeting, status: 'COMPLETED', transcript: `${name}.vtt` };
  });
  const file = join(dataDir, 'workspace.json');
  const users = [{ email: EMAIL, name: 'Participant', plan: 'PRO', apiKeys: [{ name: 'bench', key: KEY }] }];
  writeFileSync(file, JSON.stringify({ users, recordings }));
  const cli = startProcess(process.execPath, [join(ROOT, 'scripts', 'cli.js'), 'import', file], {
    cwd: dataDir,
    env: { DATA_DIR: dataDir, DEMO: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await cli.ended;
  if (cli.child.exitCode !== 0) throw new Error('the meetings of the bench were not imported');
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
const rounded = (number) => Number(number.toFixed(3));

function report(found, answered) {
  const result = {
    queries: found.length,
    mrr: rounded(mean(found.map(({ rank }) => (rank ? 1 / rank : 0)))),
    missed: found.filter(({ rank }) => !rank).length,
    recall: rounded(mean(found.map(({ recall }) => recall))),
    questions: answered.length,
    cited: answered.filter(({ one }) => one).length,
    citedAmongAll: answered.filter(({ all }) => all).length,
  };
  const lines = [
    ...found.map(({ query, kind, rank, recall, matched, instead }) =>
      [
        String(rank ?? 'missed').padEnd(7),
        recall.toFixed(2),
        kind.padEnd(13),
        (matched ?? '').padEnd(8),
        query,
        instead ? `(${instead})` : '',
      ].join(' '),
    ),
    ...answered.map(
      ({ question, one, all }) => `${one ? 'cited ' : 'missed'} ${all ? 'cited ' : 'missed'} ${question}`,
    ),
    `queries: MRR ${result.mrr}, missed ${result.missed} of ${result.queries}, recall ${result.recall}`,
    `questions: cited ${result.cited} of ${result.questions}, among all meetings ${result.citedAmongAll}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const missed = [
    result.mrr < TARGETS.mrr && `MRR ${result.mrr}`,
    result.missed > TARGETS.missed && `${result.missed} queries missed`,
    result.cited < TARGETS.cited && `${result.cited} questions cited`,
  ].filter(Boolean);
  return { ...result, found, answered, missed: missed.map((text) => `found: ${text}`) };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
