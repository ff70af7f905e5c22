import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';
import { prepare, say } from '../../scripts/prepare.js';
import { TestDatabase } from '../../scripts/test/database.js';
import { buildShared } from '../../scripts/test/shared.js';

/** Node's flag for ES modules in Jest, which `npm test` passes on its command line. */
const FLAGS = '--experimental-vm-modules --no-warnings';

/** What a run holds until it ends. */
const held = { scratch: '', database: undefined };

/**
 * Prepares a run that was not started by `npm test` but, for example, by an editor: builds the service, starts the
 * database, and gives test processes the flag.
 */
export default async function setup({ runInBand, detectOpenHandles }) {
  if (process.env.MRS_TEST_PREPARED) return;
  if ((runInBand || detectOpenHandles) && !vm.SourceTextModule) {
    say(
      `Tests are ES modules, for which Node needs a flag where Jest runs them in its own process: NODE_OPTIONS="${FLAGS}" npx jest --runInBand FILE`,
    );
    process.exit(1);
  }
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${FLAGS}`;
  await prepare({ tools: true });
  await buildShared();
  held.scratch = mkdtempSync(join(tmpdir(), 'mrs-test-'));
  held.database = await TestDatabase.start(mkdtempSync(join(held.scratch, 'database-')));
  process.env.MRS_TEST_DATABASE_URL = held.database.url;
  const temporary = join(held.scratch, 'tmp');
  mkdirSync(temporary);
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = temporary;
}

export async function release() {
  await held.database?.stop();
  if (existsSync(held.scratch)) rmSync(held.scratch, { recursive: true, force: true, maxRetries: 10 });
}
