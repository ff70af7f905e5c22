import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './prepare.js';

/** Runs `npm run build` in a child process, so that a syntax error does not end this one; returns whether it succeeded. */
export async function rebuild() {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'build.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'close');
  return status === 0;
}
