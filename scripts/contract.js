// The tests of the contract, as part of `npm run check`. Prints only what fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './prepare.js';
import { buildShared } from './test/shared.js';

await buildShared();
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
    'test/contract/',
    '--runInBand',
    `--reporters=${join(ROOT, 'scripts', 'failures-reporter.js')}`,
  ],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, MRS_TEST_PREPARED: 'true' } },
);
process.exitCode = status ?? 1;
