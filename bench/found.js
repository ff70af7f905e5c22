import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../scripts/prepare.js';
import { onEnd } from './endings.js';
import { startProcess } from './processes.js';
import { HIGH_LIMITS } from './rate-limits.js';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'found');

/** A result further down counts as missed. */
const LOOKED_AT = 10;
/** Targets for English; each other language, with fewer and shorter meetings, has to reach `MRR_ELSEWHERE`. */
const TARGETS = { mrr: 0.85, missed: 2, cited: 18 };
const MRR_ELSEWHERE = 0.9;

/**
 * How well search and questions find what people look for: forty queries with the meetings they are about, and twenty
 * questions with the segments that answer them, about real meetings in English, which `MRS_TEST_DATA` names the folder of.
 * The same with twelve queries and five questions about invented meetings in each of the languages in `bench/found`.
 */
export async function measure({ data, say }) {
  const english = englishSet(say);
  const sets = [...(english ? [english] : []), ...otherSets()];
  const results = await withMeetings(data, sets, async (askAs) => {
    const measured = [];
    for (const set of sets) measured.push(await measureSet(set, askAs(set)));
    return measured;
  });
  const missed = results.flatMap(({ missed: of }) => of);
  const [{ missed: _, ...first }, ...others] = english ? results : [{}, ...results];
  return {
    ...first,
    languages: Object.fromEntries(others.map(({ language, missed: __, ...result }) => [language, result])),
    missed: english ? missed : [...missed, 'found: English not measured'],
  };
}

/** The meetings and what is asked about them: the English ones; null if they are not there. */
function englishSet(say) {
  const set = { language: 'en', ...askedIn(FOLDER) };
  const folder = join(resolve(process.env['MRS_TEST_DATA'] ?? ''), 'meetings');
  const names = [
    ...new Set([
      ...set.queries.flatMap(({ relevant }) => relevant),
      ...set.questions.map(({ meeting }) => meeting),
    ]),
  ];
  const missing = names.filter((name) => !existsSync(join(folder, name, 'transcript.vtt')));
  if (!process.env['MRS_TEST_DATA'] || missing.length > 0) {
    say(
      `found: set MRS_TEST_DATA to a folder with meetings/${missing[0] ?? names[0]}/transcript.vtt and the other meetings of bench/found; English is not measured`,
    );
    return null;
  }
  const meetings = names.map((name) => ({
    name,
    title: readJson(join(folder, name, 'tldr.json')).meeting,
    transcript: join(folder, name, 'transcript.vtt'),
  }));
  return { ...set, meetings };
}

/** The other languages: a folder each. */
function otherSets() {
  const languages = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return languages.map(({ name: language }) => {
    const folder = join(FOLDER, language);
    const meetings = Object.entries(readJson(join(folder, 'meetings.json'))).map(([name, title]) => ({
      name,
      title,
      transcript: join(folder, `${name}.vtt`),
    }));
    return { language, ...askedIn(folder), meetings };
  });
}

const askedIn = (folder) => ({
  queries: readJson(join(folder, 'queries.json')),
  questions: readJson(join(folder, 'questions.json')),
});

async function measureSet({ language, queries, questions, meetings }, ask) {
  const idOf = (name) =>
    idAt(
      language,
      meetings.findIndex((meeting) => meeting.name === name),
    );
  const found = [];
  for (const query of queries) found.push(await search(ask, idOf, query));
  const answered = [];
  for (const question of questions) answered.push(await answer(ask, idOf, question));
  return report(language, found, answered);
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
async function withMeetings(data, sets, work) {
  const { EmbeddedPostgres } = await import('../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const { createApp, listen, stop } = await import('../dist/src/entrypoints/app.js');
  mkdirSync(data, { recursive: true });
  const dataDir = mkdtempSync(join(data, 'found-'));
  onEnd(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const server = await EmbeddedPostgres.open({ dataDir });
  try {
    await importMeetings(dataDir, sets);
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
      const askAs = ({ language }) => {
        const headers = { authorization: `Bearer ${keyOf(language)}`, 'content-type': 'application/json' };
        return async (path, options = {}) => (await fetch(`${base}/${path}`, { headers, ...options })).json();
      };
      return await work(askAs);
    } finally {
      await stop(service);
    }
  } finally {
    await server.release();
  }
}

/** Each language is the workspace of a user of its own. */
const emailOf = (language) => `${language}@bench.test`;
const keyOf = (language) => `mrs_benchfound${language}`.padEnd(44, '0');
const idAt = (language, index) =>
  `01a1edfd-0000-7000-8000-${Buffer.from(language).toString('hex')}${String(index).padStart(8, '0')}`;

async function importMeetings(dataDir, sets) {
  const users = sets.map(({ language }) => ({
    email: emailOf(language),
    name: `Reader of ${language}`,
    plan: 'PRO',
    apiKeys: [{ name: 'bench', key: keyOf(language) }],
  }));
  const recordings = sets.flatMap(({ language, meetings }) =>
    meetings.map(({ name, title, transcript }, index) => {
      const file = `${language}-${name}.vtt`;
      cpSync(transcript, join(dataDir, file));
      const id = idAt(language, index);
      return { id, owner: emailOf(language), title, status: 'COMPLETED', transcript: file };
    }),
  );
  const file = join(dataDir, 'workspace.json');
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

function report(language, found, answered) {
  const result = {
    language,
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
    `${language} queries: MRR ${result.mrr}, missed ${result.missed} of ${result.queries}, recall ${result.recall}`,
    `${language} questions: cited ${result.cited} of ${result.questions}, among all meetings ${result.citedAmongAll}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const missed =
    language === 'en'
      ? [
          result.mrr < TARGETS.mrr && `MRR ${result.mrr}`,
          result.missed > TARGETS.missed && `${result.missed} queries missed`,
          result.cited < TARGETS.cited && `${result.cited} questions cited`,
        ]
      : [result.mrr < MRR_ELSEWHERE && `MRR ${result.mrr}`];
  return {
    ...result,
    found,
    answered,
    missed: missed.filter(Boolean).map((text) => `found: ${language}: ${text}`),
  };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
