import { expect, jest } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { run } from '../../src/entrypoints/cli/run.js';
import type { Ended, Environment } from './process.js';
import type { TestService } from './service.js';
import { MANUAL } from './settings.js';

let previous: Promise<unknown> = Promise.resolve();

/**
 * `npx mrs ARGUMENTS` with these settings only, in this process, so only one at a time. Settings are also
 * read from a `.env` in the working directory.
 */
export function commandLine(settings: Environment, ...args: string[]): Promise<Ended> {
  return inTurn(() => runHere(settings, args));
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
    const { status, stdout, stderr } = await cli(...args);
    expect([args, status, stderr]).toEqual([args, 0, '']);
    return stdout.trimEnd();
  };
  const json = async (...args: string[]): Promise<ReturnType<typeof JSON.parse>> => {
    const printed = await says(...args, '--json');
    expect(printed.split('\n')).toHaveLength(1);
    return JSON.parse(printed);
  };
  const refuses = async (expected: number, message: RegExp, ...args: string[]): Promise<void> => {
    const { status, stdout, stderr } = await cli(...args);
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
