import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Stops the embedded servers below a folder that interrupted tests left behind. */
export async function stopServersBelow(folder) {
  const { postgresLayout } = await import('../../dist/src/lib/embedded-postgres/folders.js');
  const { readPostmasterState } = await import('../../dist/src/lib/embedded-postgres/postmaster.js');
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (name !== 'postmaster.pid') continue;
    const state = await readPostmasterState(postgresLayout(join(parentPath, '..', '..', '..')));
    if (state.pid) process.kill(state.pid, 'SIGQUIT');
  }
}
