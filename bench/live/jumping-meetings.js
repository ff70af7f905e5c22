import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../fairness/http-client.js';
import { median, round } from '../numbers.js';
import { OTHER_KEY } from '../speech/service.js';
import { withJumps } from './jumping-clock.js';
import { LiveMeeting } from './live-meeting.js';

/** Of each meeting, how many seconds its clock jumps, and whether its clusters hide that. */
const JUMPS = [19 * 3600, 81 * 86_400].flatMap((seconds) => [
  { seconds, isHidden: false },
  { seconds, isHidden: true },
  { seconds, isHidden: true },
]);
/** Clusters, of a second each, before the clock jumps. */
const BEFORE_JUMP = 26;
/** How often the first words of a meeting are waited for. */
const ROUNDS = 5;
const CONNECTIONS = 16;
const TIMEOUT_MS = 60_000;

/**
 * Waits for the first words of meetings that are sent in real time, first alone and then beside those of another user
 * whose clocks jump. Returns the medians in seconds, and their ratio.
 */
export async function besideJumping({ base, client, media, seconds, say }) {
  const firstWords = async (title) => {
    const waits = [];
    for (let time = 0; time < ROUNDS; time++) {
      const meeting = await LiveMeeting.begin(client, `${title}-${time}`, seconds);
      waits.push(await meeting.untilWords(media));
    }
    say(`live: first words ${title}: ${waits.map((wait) => wait.toFixed(1)).join(', ')} s`);
    return round(median(waits), 1);
  };
  const alone = await firstWords('alone');
  const other = new HttpClient({ base, key: OTHER_KEY, connections: CONNECTIONS, timeout: TIMEOUT_MS });
  const stop = new AbortController();
  const jumping = JUMPS.map(async ({ seconds: jump, isHidden }) => {
    const made = withJumps(media, jump, BEFORE_JUMP, isHidden);
    // After its end comes another.
    while (!stop.signal.aborted) {
      const meeting = await LiveMeeting.begin(other, `jumps-${jump}`, seconds);
      await meeting.sendUntil(made, stop.signal);
    }
  });
  await sleep(2 * BEFORE_JUMP * 1000);
  const beside = await firstWords('beside');
  stop.abort();
  await Promise.all(jumping);
  other.close();
  return { meetings: JUMPS.length, alone, beside, ratio: round(beside / alone) };
}
