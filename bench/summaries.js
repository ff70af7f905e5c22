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
  SAME,
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
    const matches = SAME.map((seconds) => matchesOf(summary[list], notes[list], seconds));
    return [
      list,
      {
        found: summary[list].length,
        noted: notes[list].length,
        matched: matches.map(({ length }) => length),
        owned: matches.map((some) => ownedOf(some, source.speakers)),
        texts: summary[list].map((one) =>
          lineOf(
            one,
            matches[0].some((match) => match.one === one),
          ),
        ),
      },
    ];
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

function ownedOf(matches, speakers) {
  return matches.filter(({ one, note }) => isOwner(one.owner, note.owner, speakers)).length;
}

function lineOf({ text, owner, due }, isNoted) {
  const details = [owner, due].filter(Boolean).join(', ');
  return `${isNoted ? '+' : '-'} ${details ? `[${details}] ` : ''}${text}`;
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
  const lists = LISTS.map((list) => [
    list,
    SAME.map((seconds, at) => listReport(results, list, seconds, at)),
  ]);
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

/** Precision and recall of decisions or action items, with matches at the distance of this index. */
function listReport(results, list, seconds, at) {
  const found = sum(results.map((result) => result[list].found));
  const noted = sum(results.map((result) => result[list].noted));
  const total = (field) => sum(results.map((result) => result[list][field][at]));
  const means = (of) => {
    const some = results.map((result) => result[list]).filter((one) => one[of] > 0);
    return ratio(sum(some.map((one) => one.matched[at] / one[of])), some.length);
  };
  return {
    seconds,
    found,
    noted,
    precision: ratio(total('matched'), found),
    recall: ratio(total('matched'), noted),
    mean: { precision: means('found'), recall: means('noted') },
    ...(list === 'actionItems' ? { owner: ratio(total('owned'), total('matched')) } : {}),
  };
}

function linesOf(result, results) {
  const within = WITHIN.map((seconds) => `${seconds} s`);
  const rows = PICKED.flatMap((kind) =>
    ['pooled', 'mean'].map((how) => [
      kind,
      how,
      ...fixed(result[kind][how].covered),
      ...fixed(result[kind][how].hits),
    ]),
  );
  const listRows = LISTS.flatMap((list) =>
    result[list].map(({ seconds, found, noted, precision, recall, mean, owner }) => {
      const numbers = fixed([precision, recall, mean.precision, mean.recall]);
      return [list, `${seconds} s`, String(found), String(noted), ...numbers, owner?.toFixed(3) ?? ''];
    }),
  );
  return [
    ...results.flatMap(({ name, titles, words, decisions, actionItems }) => [
      `${name}, ${words} words`,
      ...titles.map((title) => `  ${title}`),
      ...indented('decisions', decisions.texts),
      ...indented('action items', actionItems.texts),
    ]),
    '',
    `${result.points} key points, ${result.highlights} highlights: highlights with a key point, and key points with a highlight, within`,
    ...table(['', '', ...within, ...within.map((one) => `point ${one}`)], rows, { left: 2 }),
    '',
    'decisions and action items near those noted, one for one',
    ...table(
      ['', 'within', 'found', 'noted', 'precision', 'recall', 'mean prec.', 'mean recall', 'owner'],
      listRows,
    ),
  ];
}

function fixed(values) {
  return values.map((value) => value.toFixed(3));
}

function indented(head, lines) {
  return lines.length === 0 ? [] : [`  ${head}`, ...lines.map((line) => `    ${line}`)];
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
