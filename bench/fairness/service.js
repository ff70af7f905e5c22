import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../endings.js';
import { freePort, startGroup, untilReady } from '../processes.js';
import { HIGH_LIMITS } from '../rate-limits.js';
import { SEALING_KEY } from './workspace.js';

const SERVICE = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** The API and a worker, as with `npm start`, on this database and a separate folder, which `stop()` removes. */
export async function startService({ folder, url, settings = {} }) {
  mkdirSync(folder, { recursive: true });
  const dataDir = mkdtempSync(join(folder, 'service-'));
  const port = String(await freePort());
  const group = startGroup(process.execPath, [SERVICE], {
    // Outside the project, whose `.env` would otherwise apply.
    cwd: dataDir,
    env: { ...HIGH_LIMITS, ...settings, DATABASE_URL: url, DATA_DIR: dataDir, SEALING_KEY, PORT: port },
    // Its log would hide the progress of the bench.
    stdio: 'ignore',
  });
  const stop = onEnd(async () => {
    await group.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  });
  const base = `http://127.0.0.1:${port}`;
  await untilReady(`${base}/health/ready`, group);
  return { base, stop };
}
