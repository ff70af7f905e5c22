import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onEnd } from './endings.js';
import { learnFrom, prepareMeeting } from './summaries/fit.js';
import { readMeetings, withLexemes } from './summaries/meetings.js';
import {
  evenPoints,
  hitsOf,
  isOwner,
  matchesOf,
  randomHits,
  ratio,
  shares,
  WITHIN,
} from './summaries/scores.js';
import { table } from './table.js';

/** What is picked, and what it is compared with: as many points, evenly spaced or at random. */
const PICKED = ['summary', 'even', 'random'];
const LISTS = ['decisions', 'actionItems'];

/**
 * How well summaries without a chat server pick what people noted about real meetings, which `MRS_TEST_DATA` names the
 * folder of: the share of highlights with a key point nearby, decisions and action items near those noted, and titles to read.
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
  const results = await withLexemes(dataDir, async (lexemes) => {
    const prepared = [];
    for (const meeting of meetings) prepared.push(await prepareMeeting(meeting, lexemes));
    const measured = [];
    for (const meeting of prepared) measured.push(await measureOne(meeting, prepared, lexemes));
    return measured;
  });
  const result = report(results);
  process.stdout.write(`${linesOf(result, results).join('\n')}\n`);
  return result;
}

/** One meeting, summarized with what was learned from the others. */
async function measureOne(meeting, all, lexemes) {
  const { summarizeExtractively } = await import('../dist/src/lib/extractive-summary/extractive-summary.js');
  const learned = await learnFrom(all.filter((other) => other !== meeting));
  return resultOf(meeting, await summarizeExtractively(meeting.source, lexemes, learned));
}

function resultOf({ name, source, highlights, ...notes }, summary) {
  const moments = highlights.map(({ start }) => start);
  const points = summary.topics.flatMap(({ keyPoints }) => keyPoints.map(({ start }) => start));
  const lists = LISTS.map((list) => {
    const matches = matchesOf(summary[list], notes[list]);
    const owned = matches.filter(
      ({ one, note }) => note.owner && isOwner(one.owner, note.owner, source.speakers),
    );
    const counts = { found: summary[list].length, noted: notes[list].length, matched: matches.length };
    return [list, { ...counts, owned: owned.length }];
  });
  return {
    name,
    summary: hitsOf(points, moments),
    even: hitsOf(evenPoints(points.length, source), moments),
    random: randomHits(points.length, source, moments),
    ...Object.fromEntries(lists),
    titles: summary.topics.map(({ title }) => title),
    words: summary.content.split(/\s+/u).length,
  };
}

/** The shares of all meetings together, and their mean over the meetings. */
function report(results) {
  const picked = PICKED.map((kind) => {
    const means = results.map((result) => shares(result[kind]));
    const mean = (field) =>
      WITHIN.map((_, index) => ratio(sum(means.map((one) => one[field][index])), results.length));
    const total = {
      points: sum(results.map((result) => result[kind].points)),
      highlights: sum(results.map((result) => result[kind].highlights)),
      hits: WITHIN.map((_, index) => sum(results.map((result) => result[kind].hits[index]))),
      covered: WITHIN.map((_, index) => sum(results.map((result) => result[kind].covered[index]))),
    };
    return [kind, { pooled: shares(total), mean: { hits: mean('hits'), covered: mean('covered') } }];
  });
  const lists = LISTS.map((list) => {
    const total = (field) => sum(results.map((result) => result[list][field]));
    const means = (field, of) => {
      const some = results.map((result) => result[list]).filter((one) => one[of] > 0);
      return ratio(sum(some.map((one) => one[field] / one[of])), some.length);
    };
    return [
      list,
      {
        found: total('found'),
        noted: total('noted'),
        precision: ratio(total('matched'), total('found')),
        recall: ratio(total('matched'), total('noted')),
        mean: { precision: means('matched', 'found'), recall: means('matched', 'noted') },
        ...(list === 'actionItems' ? { owner: ratio(total('owned'), total('matched')) } : {}),
      },
    ];
  });
  return {
    meetings: results.length,
    points: sum(results.map(({ summary }) => summary.points)),
    highlights: sum(results.map(({ summary }) => summary.highlights)),
    ...Object.fromEntries(picked),
    ...Object.fromEntries(lists),
    words: Math.max(...results.map(({ words }) => words)),
    titles: Object.fromEntries(results.map(({ name, titles }) => [name, titles])),
  };
}

function linesOf(result, results) {
  const fixed = (values) => values.map((value) => value.toFixed(3));
  const within = WITHIN.map((seconds) => `${seconds} s`);
  const rows = PICKED.flatMap((kind) =>
    ['pooled', 'mean'].map((how) => [
      kind,
      how,
      ...fixed(result[kind][how].covered),
      ...fixed(result[kind][how].hits),
    ]),
  );
  const listRows = LISTS.map((list) => {
    const { found, noted, precision, recall, mean, owner } = result[list];
    const numbers = fixed([precision, recall, mean.precision, mean.recall]);
    return [list, String(found), String(noted), ...numbers, owner?.toFixed(3) ?? ''];
  });
  return [
    ...results.flatMap(({ name, titles, words }) => [
      `${name}, ${words} words`,
      ...titles.map((title) => `  ${title}`),
    ]),
    '',
    `${result.points} key points, ${result.highlights} highlights: highlights with a key point, and key points with a highlight, within`,
    ...table(['', '', ...within, ...within.map((one) => `point ${one}`)], rows, { left: 2 }),
    '',
    'within a minute of what was noted, one for one',
    ...table(['', 'found', 'noted', 'precision', 'recall', 'mean prec.', 'mean recall', 'owner'], listRows),
  ];
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
