import { Readable } from 'node:stream';
import { expect, jest } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { run } from '../../src/entrypoints/cli/run.js';
import type { Ended, Environment } from './process.js';
import type { TestService } from './service.js';
import { MANUAL } from './settings.js';

/** Where nobody has logged in to a server. */
const NOBODY = '/nonexistent';

let previous: Promise<unknown> = Promise.resolve();

/**
 * `npx mrs ARGUMENTS` with these settings only, in this process, so only one at a time. Settings are also
 * read from a `.env` in the working directory.
 */
export function commandLine(settings: Environment, ...args: string[]): Promise<Ended> {
  return inTurn(() => runHere(settings, args));
}

/** Commands on a server, as a user of it with this key. */
export function commandsAs(base: () => string, key: string) {
  const cli = (...args: string[]): Promise<Ended> =>
    commandLine({ MRS_URL: base(), MRS_API_KEY: key }, ...args);
  /** What a command that succeeds prints. */
  const says = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await cli('--quiet', ...args);
    expect([args, status, stderr]).toEqual([args, 0, '']);
    return stdout;
  };
  return { cli, says };
}

/** What a command prints on a terminal. Nobody answers its questions. */
export async function onTerminal<Result>(command: () => Promise<Result>): Promise<Result> {
  process.stdout.isTTY = process.stderr.isTTY = true;
  try {
    return await command();
  } finally {
    process.stdout.isTTY = process.stderr.isTTY = false;
  }
}

/** What the command that is running has printed so far, for one that only ends when it is interrupted. */
export const printedSoFar = ({ write }: NodeJS.WriteStream = process.stdout): string =>
  jest.isMockFunction(write)
    ? jest
        .mocked(write)
        .mock.calls.map(([chunk]) => String(chunk))
        .join('')
    : '';

/** Loads a module into Node itself; see `test/jest/environment.js`. */
declare const importIntoNode: (url: string) => Promise<{ default: NodeJS.Process }>;

/** That of the service and its commands; test files have one of their own. */
const realProcess = async (): Promise<NodeJS.Process> => (await importIntoNode('node:process')).default;

/** Interrupts a command that is running in this process. */
export async function interrupt(): Promise<void> {
  (await realProcess()).emit('SIGINT');
}

/** What a command reads from standard input, which is no terminal unless `isTTY`. */
export async function withInput<Result>(
  input: string,
  command: () => Promise<Result>,
  isTTY = false,
): Promise<Result> {
  const real = await realProcess();
  const { stdin } = real;
  const replace = (value: unknown): void => {
    Object.defineProperty(real, 'stdin', { value, configurable: true });
  };
  replace(Object.assign(Readable.from([input]), { isTTY }));
  try {
    return await command();
  } finally {
    replace(stdin);
  }
}

/**
 * Commands on the database and folder of a service. They use its modules, so that not every one of many commands has to
 * start its own, as those of `commandLine` do.
 */
export function commandsOn(service: () => TestService) {
  const cli = (...args: string[]): Promise<Ended> =>
    inTurn(async () => {
      const { app, databaseUrl, dataDir } = service();
      const modules = jest.spyOn(NestFactory, 'createApplicationContext');
      modules.mockResolvedValue({ get: app.get.bind(app), close: async () => {} } as typeof app);
      try {
        return await runHere({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }, args);
      } finally {
        modules.mockRestore();
      }
    });
  /** What a command that succeeds prints. */
  const says = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await cli('--quiet', ...args);
    expect([args, status, stderr]).toEqual([args, 0, '']);
    return stdout.trimEnd();
  };
  const json = async (...args: string[]): Promise<ReturnType<typeof JSON.parse>> => {
    const printed = await says(...args, '--json');
    expect(printed.split('\n')).toHaveLength(1);
    return JSON.parse(printed);
  };
  const refuses = async (expected: number, message: RegExp, ...args: string[]): Promise<void> => {
    const { status, stdout, stderr } = await cli('--quiet', ...args);
    expect([args, stderr]).toEqual([args, expect.stringMatching(/^error: /)]);
    const said = stderr.replace('error: ', '').trimEnd();
    expect([args, said]).toEqual([args, expect.stringMatching(message)]);
    expect([args, status, stdout]).toEqual([args, expected, '']);
  };
  return { cli, says, json, refuses };
}

function inTurn(command: () => Promise<Ended>): Promise<Ended> {
  const ended = previous.then(command);
  previous = ended;
  return ended;
}

async function runHere(settings: Environment, args: readonly string[]): Promise<Ended> {
  const environment = process.env;
  const { PATH = '' } = environment;
  process.env = { PATH, XDG_CONFIG_HOME: NOBODY, ...MANUAL, ...settings };
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
