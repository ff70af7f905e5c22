// `MRS_TEST_DATA=... node bench/summaries/fit.js`: learns what the default summarizer weighs from meetings that people
// took notes of, and writes it to `src/lib/extractive-summary/learned-DATE.ts`. Messages of a meeting's chat are no
// feature: a summary is written from the transcript only.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT } from '../../scripts/prepare.js';
import { fitLogistic } from './logistic.js';
import { readMeetings, withLexemes } from './meetings.js';

const LIBRARY = 'src/lib/extractive-summary';
/** Seconds around the moment of a highlight in which a sentence is likely to be a key point. */
const SPREAD = 15;
/** Strength of the regularization; ten times less or more changes little. */
const RIDGE = 30;

/** The features of a meeting, and what people noted about it. */
export async function prepareMeeting(meeting, lexemes) {
  const { listen } = await import(`../../dist/${LIBRARY}/extractive-summary.js`);
  const { pointFeatures } = await import(`../../dist/${LIBRARY}/point-features.js`);
  const { said, cues } = await listen(meeting.source, lexemes);
  const starts = said.map(({ sentence }) => sentence.start);
  return {
    ...meeting,
    points: {
      rows: pointFeatures(said, cues),
      targets: starts.map((start) =>
        Math.max(...meeting.highlights.map((one) => Math.exp(-(((one.start - start) / SPREAD) ** 2)))),
      ),
    },
  };
}

/** What is learned from these meetings. */
export async function learnFrom(prepared) {
  const { POINT_FEATURES } = await import(`../../dist/${LIBRARY}/point-features.js`);
  return {
    fitted: new Date().toISOString().slice(0, 10),
    meetings: prepared.length,
    points: fitOn(prepared, 'points', POINT_FEATURES),
  };
}

function fitOn(prepared, part, names) {
  const rows = prepared.flatMap((meeting) => meeting[part].rows);
  const targets = prepared.flatMap((meeting) => meeting[part].targets);
  const { bias, weights } = fitLogistic(rows, targets, RIDGE);
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
    const folder = join(ROOT, LIBRARY);
    for (const old of readdirSync(folder).filter((name) => /^learned-\d/.test(name))) rmSync(join(folder, old));
    writeFileSync(join(folder, `learned-${learned.fitted}.ts`), sourceOf(learned));
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
export const LEARNED: Learned = ${rounded.replace(/"(\w+)":/g, '$1:').replaceAll('"', "'").replace(/\n(\s*[}\]])/g, ',\n$1')};
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write();
