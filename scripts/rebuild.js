import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './prepare.js';

/** `npm run build` in a process of its own, which a mistake in the source cannot end this one by; whether it succeeded. */
export async function rebuild() {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'build.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'close');
  return status === 0;
}
