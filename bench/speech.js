import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../scripts/prepare.js';
import { onEnd } from './endings.js';
import { HttpClient } from './fairness/http-client.js';
import { round } from './numbers.js';
import { measureAccuracy } from './speech/accuracy.js';
import { MemoryWatch } from './speech/memory.js';
import { missedIn, report } from './speech/report.js';
import { KEY, startService } from './speech/service.js';
import { measureSpeed, SPEED_TARGETS } from './speech/speed.js';
import { measureTracks } from './speech/tracks.js';
import { measureWaits, MAX_RATIO } from './speech/waits.js';

const REPLY_DEADLINE_MS = 60_000;

/**
 * Measures what happens by itself after an upload: how well speech is transcribed, how long that takes, how much memory it
 * needs and how long others wait meanwhile. `minutes`: the lengths of the meetings.
 */
export async function measure({ data, minutes, say }) {
  const [loadAverage] = loadavg().map((value) => round(value));
  if (loadAverage > cpus().length / 2)
    say(`load average ${loadAverage}: this machine is too busy for reliable measurements`);
  const folder = join(data, 'speech');
  const { base, dataDir, pid } = await startService(folder);
  const memory = new MemoryWatch(pid, [ROOT, dataDir]);
  onEnd(() => memory.stop());
  const client = new HttpClient({ base, key: KEY, connections: 2, timeout: REPLY_DEADLINE_MS });
  onEnd(() => client.close());
  const common = { base, client, memory, folder, minutes, say };
  const result = {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    loadAverage,
    targets: { ...SPEED_TARGETS, p99Ratio: MAX_RATIO },
    accuracy: await measureAccuracy(client, say),
    speed: await measureSpeed(common),
    tracks: await measureTracks(common),
    waits: await measureWaits(common),
  };
  process.stdout.write(report(result));
  return { ...result, missed: missedIn(result) };
}
