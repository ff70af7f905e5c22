import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { refused, usageError } from '../exit-status.js';

/** Longer input is no key. */
const MAX_CHARACTERS = 10_000;

/** Reads a secret: on a terminal by a question, whose answer is not shown, otherwise all of standard input. */
export async function readSecret(question: string): Promise<string> {
  const given = process.stdin.isTTY ? await askHidden(question) : await readAll();
  if (given.trim() !== '') return given.trim();
  throw usageError('No API key was given: enter it, or send it to standard input.');
}

/** Readline takes the echo away from the terminal; what it would write itself goes nowhere. */
function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    terminal.once('SIGINT', () => reject(refused('Not logged in.')));
    terminal.once('line', resolve);
    terminal.once('close', () => resolve(''));
  }).finally(() => {
    terminal.close();
    process.stderr.write('\n');
  });
}

async function readAll(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > MAX_CHARACTERS) throw usageError('Standard input is too long for an API key.');
  }
  return text;
}
