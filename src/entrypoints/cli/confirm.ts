import { createInterface } from 'node:readline';
import { refused } from './exit-status.js';

export interface Confirmable {
  readonly yes?: boolean;
}

/**
 * Asks before something is deleted, if there is somebody to ask: scripts, whose input is no terminal, go on. `what` is
 * a question without its question mark.
 */
export async function confirm(what: string, { yes = false }: Confirmable): Promise<void> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return;
  if (!/^y(es)?$/i.test((await ask(`${what}? [y/N] `)).trim()))
    throw refused('Not confirmed. Nothing was changed.');
}

/** Empty if the input ends, or with Ctrl-C. */
function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''));
    terminal.question(question, resolve);
  }).finally(() => terminal.close());
}
