import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { refused, usageError } from './exit-status.js';

export interface Confirmable {
  readonly yes?: boolean;
}

/** Longer input is not a key. */
const MAX_CHARACTERS = 10_000;

/** Asks before something is deleted; scripts, whose input is no terminal, go on. `what`: without a question mark. */
export async function confirm(what: string, { yes = false }: Confirmable): Promise<void> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  if (!/^y(es)?$/i.test((await answerTo(`${what}? [y/N] `, terminal)).trim()))
    throw refused('Not confirmed. Nothing was changed.');
}

/** Reads an API key: on a terminal by a question, whose answer is not shown, otherwise all of standard input. */
export async function readApiKey(question: string): Promise<string> {
  const given = (process.stdin.isTTY ? await askHidden(question) : await readAll()).trim();
  if (given !== '') return given;
  throw usageError('No API key was given: enter it, or send it to standard input.');
}

/** Readline takes the echo away from the terminal; what it would write itself goes nowhere. */
async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  let isCanceled = false;
  terminal.once('SIGINT', () => {
    isCanceled = true;
    terminal.close();
  });
  process.stderr.write(question);
  const answer = await answerTo('', terminal);
  process.stderr.write('\n');
  if (isCanceled) throw refused('Not logged in.');
  return answer;
}

/** Empty if the input ends, or with Ctrl-C. */
const answerTo = (question: string, terminal: Interface): Promise<string> =>
  new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''));
    terminal.question(question, resolve);
  }).finally(() => terminal.close());

async function readAll(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > MAX_CHARACTERS) throw usageError('Standard input is too long for an API key.');
  }
  return text;
}
