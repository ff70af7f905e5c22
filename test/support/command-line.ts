import { jest } from '@jest/globals';
import { run } from '../../src/entrypoints/cli/run.js';
import type { Ended, Environment } from './process.js';
import { MANUAL } from './settings.js';

let previous: Promise<unknown> = Promise.resolve();

/**
 * `npm run -s cli -- ARGUMENTS` with these settings only, in this process, so only one at a time. Settings are also
 * read from a `.env` in the working directory.
 */
export function commandLine(settings: Environment, ...args: string[]): Promise<Ended> {
  const ended = previous.then(() => runHere(settings, args));
  previous = ended;
  return ended;
}

async function runHere(settings: Environment, args: readonly string[]): Promise<Ended> {
  const environment = process.env;
  const { PATH = '' } = environment;
  process.env = { PATH, ...MANUAL, ...settings };
  // Nobody answers its questions, not even if the tests run in a terminal.
  process.stdin.isTTY = false;
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  try {
    const status = await run(args);
    return { status, signal: null, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.end();
    stderr.end();
    process.env = environment;
  }
}

function collect(stream: NodeJS.WriteStream): { text: () => string; end: () => void } {
  let text = '';
  const write = jest.spyOn(stream, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  return { text: () => text, end: () => write.mockRestore() };
}
