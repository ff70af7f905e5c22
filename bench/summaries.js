import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/prepare.js';
import { onEnd } from './endings.js';
import { randomFrom } from './random-speech.js';
import { documented } from './summaries/documented.js';
import { learn, LISTS, prepareMeeting } from './summaries/fit.js';
import { readMeetings, withLexemes } from './summaries/meetings.js';
import { evenPoints, hitsOf, isOwner, matchesOf, randomHits, SAME, WITHIN } from './summaries/scores.js';

/** What is picked, and what it is compared with: as many points, evenly spaced or at random. */
const PICKED = ['summary', 'even', 'random'];
const DRAWS = 1000;
/** What share pages show; `MIN_CONFIDENCE` of their presenter. */
const SHOWN = 0.4;

/**
 * How well summaries without a chat server pick what people noted about real meetings, which `MRS_TEST_DATA` names the
 * folder of: each meeting is summarized with what was learned from the other series of meetings. Writes the numbers to
 * `bench/summaries/last-run.json`, and prints the tables of `docs/performance.md`.
 */
export async function measure({ data, say }) {
  const meetings = await readMeetings();
  if (meetings.length === 0) {
    say('summaries: set MRS_TEST_DATA to a folder with meetings/*/transcript.vtt and tldr.json');
    return { missed: ['summaries: not measured'] };
  }
  mkdirSync(data, { recursive: true });
  const dataDir = mkdtempSync(join(data, 'summaries-'));
  onEnd(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const { results, learned } = await withLexemes(dataDir, async (lexemes) => {
    const prepared = [];
    for (const meeting of meetings) prepared.push(await prepareMeeting(meeting, lexemes));
    const { without, foldOf, learned: all } = await learn(prepared);
    const measured = [];
    for (const meeting of prepared)
      measured.push(await measureOne(meeting, without[foldOf(meeting)], lexemes));
    return { results: measured, learned: all };
  });
  const result = { fitted: learned.fitted, ...report(results) };
  writeFileSync(join(ROOT, 'bench/summaries/last-run.json'), `${JSON.stringify(result, null, 2)}\n`);
  process.stdout.write(`${[...results.flatMap(linesOf), '', ...documented(result)].join('\n')}\n`);
  return result;
}

async function measureOne({ name, source, highlights, ...notes }, learned, lexemes) {
  const { summarizeExtractively } = await import('../dist/src/lib/extractive-summary/extractive-summary.js');
  const summary = await summarizeExtractively(source, lexemes, learned);
  const moments = highlights.map(({ start }) => start);
  const points = summary.topics.flatMap(({ keyPoints }) => keyPoints.map(({ start }) => start));
  const lists = LISTS.flatMap((list) => {
    const shown = summary[list].filter(({ confidence }) => (confidence ?? 1) >= SHOWN);
    return [
      [list, SAME.map((seconds) => listed(summary[list], notes[list], { seconds, source }))],
      [`${list}Shown`, [listed(shown, notes[list], { seconds: SAME[0], source })]],
    ];
  });
  return {
    name,
    summary: hitsOf(points, moments),
    even: hitsOf(evenPoints(points.length, source), moments),
    random: randomHits(points.length, source, moments),
    ...Object.fromEntries(lists),
    written: summary,
    words: summary.content.split(/\s+/u).length,
  };
}

function listed(found, notes, { seconds, source }) {
  const matches = matchesOf(found, notes, seconds);
  const owned = matches.filter(({ one, note }) => isOwner(one.owner, note.owner, source.speakers));
  return { seconds, found: found.length, noted: notes.length, matched: matches.length, owned: owned.length };
}

/** The shares of all meetings together, each with the range in which it lies with a probability of 0.95. */
function report(results) {
  const share = (countsOf) => withRange(results.map(countsOf));
  const picked = PICKED.map((kind) => [
    kind,
    {
      covered: WITHIN.map((_, at) =>
        share(({ [kind]: { covered, highlights } }) => [covered[at], highlights]),
      ),
      hits: WITHIN.map((_, at) => share(({ [kind]: { hits, points } }) => [hits[at], points])),
    },
  ]);
  const lists = LISTS.flatMap((list) => [list, `${list}Shown`]).map((list) => [
    list,
    results[0][list].map(({ seconds }, at) => ({
      seconds,
      found: sum(results.map(({ [list]: one }) => one[at].found)),
      noted: sum(results.map(({ [list]: one }) => one[at].noted)),
      precision: share(({ [list]: one }) => [one[at].matched, one[at].found]),
      recall: share(({ [list]: one }) => [one[at].matched, one[at].noted]),
      ...(list.startsWith('action')
        ? { owner: share(({ [list]: one }) => [one[at].owned, one[at].matched]) }
        : {}),
    })),
  ]);
  return {
    meetings: results.length,
    points: sum(results.map(({ summary }) => summary.points)),
    highlights: sum(results.map(({ summary }) => summary.highlights)),
    ...Object.fromEntries([...picked, ...lists]),
    words: Math.max(...results.map(({ words }) => words)),
  };
}

/** A share of sums over the meetings; its range is that of meetings drawn again, with replacement. */
function withRange(counts) {
  const random = randomFrom(counts.length);
  const draws = Array.from({ length: DRAWS }, () =>
    shareOf(counts.map(() => counts[Math.floor(random() * counts.length)])),
  ).toSorted((one, other) => one - other);
  const [from, to] = [draws[Math.floor(0.025 * DRAWS)], draws[Math.ceil(0.975 * DRAWS) - 1]];
  return { value: rounded(shareOf(counts)), from: rounded(from), to: rounded(to) };
}

function shareOf(counts) {
  return sum(counts.map(([part]) => part)) / Math.max(sum(counts.map(([, whole]) => whole)), 1);
}

function rounded(value) {
  return Number(value.toFixed(3));
}

function linesOf({ name, written, words }) {
  return [
    `${name}, ${words} words`,
    ...written.topics.map(({ title }) => `  ${title}`),
    ...LISTS.flatMap((list) =>
      written[list].map(
        ({ text, owner, due, confidence }) =>
          `  ${list} ${confidence ?? '-'} ${[owner, due].filter(Boolean).join(', ')}: ${text}`,
      ),
    ),
  ];
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
