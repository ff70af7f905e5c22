import { round } from '../numbers.js';
import { Meeting } from './meeting.js';
import { measureOpenLoop } from './open-loop.js';
import { longSpeech } from './recordings.js';
import { IMPORTED, KEY } from './service.js';

const SECONDS = 20;
const WARM_UP_SECONDS = 3;
/** Minutes of the meeting that is transcribed meanwhile. */
const MINUTES = 10;
/** The highest acceptable p99 during a transcription, as a multiple of its quiet value. */
export const MAX_RATIO = 2;

const OPERATIONS = {
  'GET /recordings': () => '/api/v1/recordings',
  'GET /recordings/:id': (n) => `/api/v1/recordings/${IMPORTED[n % IMPORTED.length]}`,
};

/** The waits of ordinary requests while nothing else happens, and while the service transcribes a meeting. */
export async function measureWaits({ base, client, folder, minutes, say }) {
  const media = await longSpeech(folder, Math.min(MINUTES, Math.max(...minutes)), say);
  const measure = (seconds, ended) =>
    measureOpenLoop({ base, key: KEY, operations: OPERATIONS, seconds, ended });
  say('waits: quiet');
  await measure(WARM_UP_SECONDS);
  const quiet = await measure(SECONDS);
  say('waits: during a transcription');
  const meeting = await Meeting.upload(client, { title: 'Meanwhile', media });
  await meeting.playable();
  await meeting.transcribing();
  let ended = false;
  const transcribed = meeting.transcribed().finally(() => (ended = true));
  const [loaded] = await Promise.all([measure(SECONDS, () => ended), transcribed]);
  await meeting.summarized();
  return Object.keys(OPERATIONS).map((operation) => compared(operation, quiet[operation], loaded[operation]));
}

export function compared(operation, quiet, loaded) {
  const ratio = loaded.p99 / quiet.p99;
  // JSON has no infinity: without replies, p99 and ratio become null.
  return {
    operation,
    quiet: rounded(quiet),
    loaded: rounded(loaded),
    ratio: Number.isFinite(ratio) ? round(ratio) : null,
    met: ratio <= MAX_RATIO,
  };
}

const rounded = ({ p50, p99, sent, failed }) => ({ p50: finite(p50), p99: finite(p99), sent, failed });

const finite = (value) => (Number.isFinite(value) ? round(value) : null);
