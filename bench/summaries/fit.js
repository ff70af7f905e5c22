// `MRS_TEST_DATA=... node bench/summaries/fit.js`: learns what the default summarizer weighs from meetings that people
// took notes of, and writes it to `src/lib/extractive-summary/learned-weights.ts`, with the date.
// Messages of a meeting's chat are no feature: a summary is written from the transcript only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { prepare, ROOT } from '../../scripts/prepare.js';
import { fitLogistic } from './logistic.js';
import { readMeetings, withLexemes } from './meetings.js';
import { matchesOf } from './scores.js';

const LIBRARY = 'src/lib/extractive-summary';
/** Seconds around the moment of a note in which a sentence counts as noted; the moments of highlights are more exact. */
const SPREAD = { points: 15, decisions: 60, actionItems: 60 };
/** Strength of the regularization. */
const RIDGE = { points: 2000, decisions: 6000, actionItems: 6000 };
const NOTES = { points: 'highlights', decisions: 'decisions', actionItems: 'actionItems' };
/** How much more each further pick of a meeting needs, as a share of the deviation of the scores. */
const FURTHER = 0.3;
/** Most picks of a meeting, and the seconds within which two are about the same. */
const PICKS = { most: 5, apart: 120 };
/** What is offered is to be right so often. */
const PRECISION = 0.45;
const FOLDS = 8;
export const LISTS = ['decisions', 'actionItems'];

/** The rows of a meeting, and for each what people noted about it. */
export async function prepareMeeting(meeting, lexemes) {
  const { listen } = await import(`../../dist/${LIBRARY}/extractive-summary.js`);
  const { momentsOf, rowsOf } = await import(`../../dist/${LIBRARY}/learned.js`);
  const { explicitIn } = await import(`../../dist/${LIBRARY}/explicit-resolutions.js`);
  const { resolutionCuesOf } = await import(`../../dist/${LIBRARY}/resolution-cues.js`);
  const { speakersByName } = await import(`../../dist/${LIBRARY}/explicit-resolutions.js`);
  const { said, cues } = await listen(meeting.source, lexemes);
  const speakers = speakersByName(meeting.source.speakers);
  const starts = said.map(({ sentence }) => sentence.start);
  const targets = Object.fromEntries(
    Object.entries(NOTES).map(([name, notes]) => [
      name,
      starts.map((start) => nearness(start, meeting[notes], SPREAD[name])),
    ]),
  );
  const explicit = explicitIn(said, resolutionCuesOf('en'), { talk: cues, speakers });
  return { ...meeting, starts, rows: [...rowsOf(said, momentsOf(said, cues, explicit))], targets };
}

/** From 1 at the moment of a note to 0. */
function nearness(start, notes, spread) {
  return Math.max(0, ...notes.map((note) => Math.exp(-(((note.start - start) / spread) ** 2))));
}

/** What is learned from these meetings, without the confidence of what is picked. */
function fitAll(meetings) {
  const rows = meetings.flatMap((meeting) => meeting.rows);
  return Object.fromEntries(
    Object.keys(NOTES).map((name) => {
      const targets = meetings.flatMap((meeting) => meeting.targets[name]);
      return [name, fitLogistic(rows, targets, RIDGE[name])];
    }),
  );
}

/**
 * Learns from all meetings and, for each fold of meetings, from the others. All meetings of a series are in one fold: the
 * same people and phrases would be a leak. What a score is worth is learned from folds as well.
 */
export async function learn(meetings) {
  const series = [...new Set(meetings.map(seriesOf))].toSorted();
  const foldOf = (meeting) => series.indexOf(seriesOf(meeting)) % FOLDS;
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitAll(meetings.filter((meeting) => foldOf(meeting) !== fold)),
  );
  const scored = meetings.map((meeting) => ({
    meeting,
    fold: foldOf(meeting),
    scores: Object.fromEntries(
      LISTS.map((list) => {
        const { bias, weights } = models[foldOf(meeting)][list];
        return [
          list,
          meeting.rows.map((row) => weights.reduce((sum, weight, at) => sum + weight * row[at], bias)),
        ];
      }),
    ),
  }));
  return {
    learned: await complete(fitAll(meetings), scored),
    without: await Promise.all(
      models.map((fitted, fold) =>
        complete(
          fitted,
          scored.filter((one) => one.fold !== fold),
        ),
      ),
    ),
    foldOf,
  };
}

/** The models of a fold, with what their picks are worth by the meetings of other folds. */
async function complete(fitted, others) {
  return {
    fitted: new Date().toISOString().slice(0, 10),
    meetings: others.length,
    points: fitted.points,
    ...Object.fromEntries(
      await Promise.all(
        LISTS.map(async (list) => [list, { ...fitted[list], ...(await worthOf(others, list)) }]),
      ),
    ),
  };
}

function seriesOf({ name }) {
  return name.replace(/-\d{4}-.*$/u, '');
}

/** What a score is worth: from picks in meetings that the model had not seen. */
async function worthOf(scored, list) {
  const { pick } = await import(`../../dist/${LIBRARY}/learned.js`);
  const all = scored.flatMap(({ scores }) => scores[list]);
  const middle = all.reduce((sum, value) => sum + value, 0) / all.length;
  const further =
    FURTHER * Math.sqrt(all.reduce((sum, value) => sum + (value - middle) ** 2, 0) / all.length);
  const open = { ...PICKS, further, confidence: { bias: 0, slope: 1 }, least: 0 };
  const picks = scored.flatMap(({ meeting, scores }) => {
    const found = pick(meeting.starts, scores[list], open).map(({ index, confidence }) => ({
      start: meeting.starts[index],
      value: Math.log(confidence / (1 - confidence)),
    }));
    const right = new Set(matchesOf(found, meeting[list]).map(({ one }) => one));
    return found.map((one) => ({ value: one.value, isRight: right.has(one) }));
  });
  const { bias, weights } = fitLogistic(
    picks.map(({ value }) => [value]),
    picks.map(({ isRight }) => Number(isRight)),
    1e-3,
  );
  const ranked = picks.toSorted((one, other) => other.value - one.value);
  let [right, least] = [0, 0.5];
  ranked.forEach(({ value, isRight }, index) => {
    right += Number(isRight);
    if (right / (index + 1) >= PRECISION) least = 1 / (1 + Math.exp(-(bias + weights[0] * value)));
  });
  return { ...PICKS, further, confidence: { bias, slope: weights[0] }, least };
}

async function write() {
  await prepare({ tools: true });
  const meetings = await readMeetings();
  if (meetings.length === 0) throw new Error('MRS_TEST_DATA names no meetings');
  const dataDir = mkdtempSync(join(tmpdir(), 'mrs-fit-'));
  try {
    const { learned } = await withLexemes(dataDir, async (lexemes) => {
      const prepared = [];
      for (const meeting of meetings) prepared.push(await prepareMeeting(meeting, lexemes));
      return learn(prepared);
    });
    writeFileSync(join(ROOT, LIBRARY, 'learned-weights.ts'), await sourceOf(learned));
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function sourceOf(learned) {
  const rounded = JSON.stringify(learned, (_, value) =>
    typeof value === 'number' ? Number(value.toFixed(3)) : value,
  );
  const source = `import type { Learned } from './learned.js';

/** Written by \`bench/summaries/fit.js\`, from the meetings that \`bench/summaries\` measures. */
export const LEARNED: Learned = ${rounded};
`;
  return format(source, { ...(await resolveConfig(join(ROOT, LIBRARY))), parser: 'typescript' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write();
