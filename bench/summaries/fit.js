// `MRS_TEST_DATA=... node bench/summaries/fit.js`: learns what the default summarizer weighs from meetings that people
// took notes of, and writes it to `src/lib/extractive-summary/learned-weights.ts`, with the date.
// Messages of a meeting's chat are no feature: a summary is written from the transcript only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT } from '../../scripts/prepare.js';
import { fitLogistic } from './logistic.js';
import { readMeetings, withLexemes } from './meetings.js';
import { matchesOf } from './scores.js';

const LIBRARY = 'src/lib/extractive-summary';
/** Seconds around the moment of a highlight in which a sentence is likely to be a key point. */
const SPREAD = 15;
/** Strength of the regularization; ten times more changes little. */
const RIDGE = 30;
/** The same for decisions and action items, whose moments are less exact, and of which there are fewer. */
const SPREAD_OF_NOTES = 60;
const RIDGE_OF_NOTES = 1;
/** Thresholds to choose from; below 1, precision counts for more than recall. */
const THRESHOLDS = Array.from({ length: 60 }, (_, index) => (index + 1) / 100);
const BETA = 0.7;

/** The features of a meeting, and what people noted about it. */
export async function prepareMeeting(meeting, lexemes) {
  const { listen } = await import(`../../dist/${LIBRARY}/extractive-summary.js`);
  const { pointFeatures } = await import(`../../dist/${LIBRARY}/point-features.js`);
  const { resolutionCuesOf } = await import(`../../dist/${LIBRARY}/resolution-cues.js`);
  const { actionCandidates, decisionCandidates } = await import(`../../dist/${LIBRARY}/resolutions.js`);
  const { speakersByName } = await import(`../../dist/${LIBRARY}/owners.js`);
  const { said, cues } = await listen(meeting.source, lexemes);
  const starts = said.map(({ sentence }) => sentence.start);
  const resolutionCues = resolutionCuesOf(meeting.source.language);
  const speakers = speakersByName(meeting.source.speakers);
  const candidates = (found, notes) => ({
    said,
    candidates: found,
    notes,
    rows: found.map(({ features }) => features),
    targets: found.map(({ index }) => nearness(starts[index], notes, SPREAD_OF_NOTES)),
  });
  return {
    ...meeting,
    points: {
      rows: pointFeatures(said, cues),
      targets: starts.map((start) => nearness(start, meeting.highlights, SPREAD)),
    },
    decided: candidates(decisionCandidates(said, resolutionCues), meeting.decisions),
    promised: candidates(
      actionCandidates(said, resolutionCues, { talk: cues, speakers }),
      meeting.actionItems,
    ),
  };
}

/** From 1 at the moment of a note to 0. */
function nearness(start, notes, spread) {
  return Math.max(0, ...notes.map((note) => Math.exp(-(((note.start - start) / spread) ** 2))));
}

/** What is learned from these meetings. */
export async function learnFrom(prepared) {
  const { POINT_FEATURES } = await import(`../../dist/${LIBRARY}/point-features.js`);
  const { ACTION_FEATURES, DECISION_FEATURES } = await import(`../../dist/${LIBRARY}/resolutions.js`);
  return {
    fitted: new Date().toISOString().slice(0, 10),
    meetings: prepared.length,
    points: fitOn(prepared, 'points', POINT_FEATURES, RIDGE),
    decisions: await withThreshold(prepared, 'decided', DECISION_FEATURES),
    actionItems: await withThreshold(prepared, 'promised', ACTION_FEATURES),
  };
}

/** A model of decisions or action items, with the threshold that finds those noted best. */
async function withThreshold(prepared, part, names) {
  const { pick } = await import(`../../dist/${LIBRARY}/resolutions.js`);
  const model = fitOn(prepared, part, names, RIDGE_OF_NOTES);
  const worthOf = (threshold) => {
    const counts = prepared.map(({ [part]: { said, candidates, notes } }) => {
      const picked = pick(said, candidates, { ...model, threshold }, names);
      const found = [...picked.keys()].map((index) => said[index].sentence);
      return [matchesOf(found, notes).length, found.length, notes.length];
    });
    const [matched, found, noted] = [0, 1, 2].map((at) => counts.reduce((sum, count) => sum + count[at], 0));
    return ((1 + BETA ** 2) * matched) / (found + BETA ** 2 * noted);
  };
  const threshold = THRESHOLDS.reduce((best, one) => (worthOf(one) > worthOf(best) ? one : best));
  return { ...model, threshold };
}

function fitOn(prepared, part, names, ridge) {
  const rows = prepared.flatMap((meeting) => meeting[part].rows);
  const targets = prepared.flatMap((meeting) => meeting[part].targets);
  const { bias, weights } = fitLogistic(rows, targets, ridge);
  return { bias, weights: Object.fromEntries(names.map((name, at) => [name, weights[at]])) };
}

async function write() {
  await prepare({ tools: true });
  const meetings = await readMeetings();
  if (meetings.length === 0) throw new Error('MRS_TEST_DATA names no meetings');
  const dataDir = mkdtempSync(join(tmpdir(), 'mrs-fit-'));
  try {
    const learned = await withLexemes(dataDir, async (lexemes) => {
      const prepared = [];
      for (const meeting of meetings) prepared.push(await prepareMeeting(meeting, lexemes));
      return learnFrom(prepared);
    });
    writeFileSync(join(ROOT, LIBRARY, 'learned-weights.ts'), sourceOf(learned));
    process.stdout.write(`${JSON.stringify(learned, null, 2)}\n`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

function sourceOf(learned) {
  const rounded = JSON.stringify(
    learned,
    (_, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value),
    2,
  );
  return `import type { Learned } from './learned.js';

/** Written by \`bench/summaries/fit.js\`, from the meetings that \`bench/summaries\` measures. */
export const LEARNED: Learned = ${rounded
    .replace(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replace(/\n(\s*[}\]])/g, ',\n$1')};
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write();
