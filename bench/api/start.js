import { ROOT } from '../../scripts/prepare.js';
import { ADDRESSES, serviceFolder, startBareNest, startService } from './sides.js';
import { median, round as rounded } from '../numbers.js';
import { freePort, startProcess, untilReady } from '../processes.js';

/** Times a bare Nest application that opens the same database. */
const MAX_RATIO = 1.5;
const MAX_SECONDS = 3;

/** Seconds from the start of a process to readiness on the filled, migrated database. */
export async function measureStart({ database, rounds, say }) {
  const starts = [() => startService(database), () => startBareNest(database), () => startAll(database)];
  const taken = starts.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    say(`start, round ${round} of ${rounds}`);
    for (const [index, start] of starts.entries()) taken[index].push(await timeOf(start));
  }
  const [api, bare, all] = taken;
  return [besideBareNest(api, bare), inSeconds(all)];
}

function besideBareNest(api, bare) {
  const ratio = rounded(median(api.map((seconds, round) => seconds / bare[round])));
  const [service, yardstick] = [api, bare].map((times) => rounded(median(times)));
  return {
    case: 'API until ready, beside a bare Nest application',
    service: `${service} s`,
    yardstick: `${yardstick} s`,
    ratio,
    target: `<= ${MAX_RATIO}`,
    met: ratio <= MAX_RATIO,
    measured: { service, yardstick },
  };
}

function inSeconds(taken) {
  const seconds = rounded(median(taken));
  return {
    case: 'npm start (API and worker) until ready',
    service: `${seconds} s`,
    yardstick: null,
    ratio: null,
    target: `< ${MAX_SECONDS} s`,
    met: seconds < MAX_SECONDS,
    measured: { seconds, slowest: rounded(Math.max(...taken)) },
  };
}

/** `start` returns when what it starts is ready. */
async function timeOf(start) {
  const started = performance.now();
  const { stop } = await start();
  const seconds = (performance.now() - started) / 1000;
  await stop();
  return seconds;
}

async function startAll(database) {
  const port = String(await freePort());
  const npm = startProcess('npm', ['start'], {
    cwd: ROOT,
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: serviceFolder(database),
      SEALING_KEY: ADDRESSES.SEALING_KEY,
      PORT: port,
      DEMO: 'false',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(`http://127.0.0.1:${port}/health/ready`, npm);
  return npm;
}
