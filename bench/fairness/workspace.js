import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/prepare.js';
import { startProcess } from '../processes.js';
import { segmentsOf } from './texts.js';

/** Recordings per user. */
const COUNTS = { good: 40, heavy: 44 };
/** The first recordings of the heavy user, which get their content over the API, or none. */
const BARE = 4;
const SEGMENTS = 100;

export const keyOf = (user) => `mrs_${user}`.padEnd(44, '0');

/** Ids of the recordings of a user. */
export function recordingsOf(user) {
  const group = Object.keys(COUNTS).indexOf(user);
  const numbers = Array.from({ length: COUNTS[user] }, (_, n) => String(n).padStart(12, '0'));
  return numbers.map((number) => `01a1edfd-0000-7000-8${group}00-${number}`);
}

/** The service runs on the same database with a folder of its own. */
export const SEALING_KEY = 'only share tokens of the bench are sealed with it';

/** Imports two users on plan PRO with their recordings. The good user's have a transcript and a summary. */
export async function importWorkspace(folder, url) {
  const file = join(folder, 'workspace.json');
  writeFileSync(file, JSON.stringify(workspace()));
  const cli = startProcess(process.execPath, [join(ROOT, 'scripts', 'cli.js'), 'import', file], {
    cwd: folder,
    env: { DATABASE_URL: url, DATA_DIR: folder, SEALING_KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await cli.ended;
  if (cli.child.exitCode !== 0) throw new Error('the workspace of the bench was not imported');
}

function workspace() {
  const good = recordingsOf('good').map((id, n) => withContent(recordingOf('good', id), n));
  const heavy = recordingsOf('heavy').map((id, n) => {
    const recording = recordingOf('heavy', id);
    return n < BARE ? recording : withContent(recording, COUNTS.good + n);
  });
  return { users: Object.keys(COUNTS).map(userOf), recordings: [...good, ...heavy] };
}

const withContent = (recording, seed) => ({
  ...recording,
  transcript: { language: 'en', segments: segmentsOf(SEGMENTS, seed) },
  summary: { content: '## Decisions\n\n- The launch moves to 12 March', topics: [] },
});

const emailOf = (user) => `${user}@bench.test`;

const userOf = (user) => ({
  email: emailOf(user),
  name: user,
  plan: 'PRO',
  apiKeys: [{ name: 'bench', key: keyOf(user) }],
});

const recordingOf = (user, id) => ({
  id,
  owner: emailOf(user),
  title: 'Weekly sync',
  status: 'COMPLETED',
});
