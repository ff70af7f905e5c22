import { ROOT } from '../../scripts/prepare.js';
import { ADDRESSES, serviceFolder } from './sides.js';
import { median, round as rounded } from '../numbers.js';
import { freePort, startProcess, untilReady } from '../processes.js';

const MOST_SECONDS = 3;

/** Seconds from `npm start` (API and worker) to readiness on the filled, migrated database. */
export async function measureStart({ database, rounds, say }) {
  const taken = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`start, round ${round} of ${rounds}`);
    taken.push(await startOnce(database));
  }
  const seconds = rounded(median(taken));
  return {
    case: 'npm start until ready',
    service: `${seconds} s`,
    yardstick: null,
    ratio: null,
    target: `< ${MOST_SECONDS} s`,
    met: seconds < MOST_SECONDS,
    measured: { seconds, slowest: rounded(Math.max(...taken)) },
  };
}

async function startOnce(database) {
  const port = String(await freePort());
  const started = performance.now();
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
  const seconds = (performance.now() - started) / 1000;
  await npm.stop();
  return seconds;
}
