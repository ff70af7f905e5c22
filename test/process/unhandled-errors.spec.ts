import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Program, type Ended } from '../support/process.js';

const built = (path: string): string => pathToFileURL(resolve('dist/src', path)).href;
const KEY = `mrs_${'k'.repeat(43)}`;

/** A process of the service that does nothing but what `bug` says. */
const run = (bug: string, options: object): Promise<Ended> =>
  start(
    `
      setTimeout(() => { ${bug} }, 10);
      // As a server does.
      const alive = setInterval(() => {}, 1000);
      return { logger: AppLogger.to('stdout', 'info'), stop: async () => clearInterval(alive) };`,
    options,
  );

async function start(body: string, options: object): Promise<Ended> {
  const source = `
    import { runUntilStopped } from '${built('entrypoints/lifecycle.js')}';
    import { AppLogger } from '${built('platform/logging/app-logger.js')}';
    runUntilStopped(async () => { ${body} }, ${JSON.stringify(options)});
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
  return new Program(child).ended;
}

const REJECTION = `Promise.reject(new Error('nobody awaits ${KEY}'));`;
/** After it has been reported. */
const STOP = `setTimeout(() => process.kill(process.pid, 'SIGTERM'), 10);`;
const EXCEPTION = `throw new Error('nobody catches ${KEY}');`;

describe('an error that nobody handles', () => {
  it('in a promise is logged, and the requests of others go on', async () => {
    const { status, stdout, stderr } = await run(REJECTION + STOP, { servesCallers: true });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"msg":"a rejection was not handled"');
    expect(stdout).toContain('nobody awaits');
    expect(stdout).toContain('"msg":"stopped"');
    expect(stdout).not.toContain(KEY);
  });

  it('has a trace that names lines of the source, without an option of Node', async () => {
    const work = `import('${built('lib/deadline.js')}').then(({ Deadline }) => new Deadline(1, {}))`;
    const { stdout } = await run(`${work}.finally(() => { ${STOP} });`, { servesCallers: true });
    expect(stdout).toMatch(/src\/lib\/deadline\.ts:\d+:\d+/);
  });

  it.each([
    ['in a promise of a worker, which is started again,', REJECTION, {}],
    ['thrown in a worker', EXCEPTION, {}],
    ['thrown in the API', EXCEPTION, { servesCallers: true }],
  ])('%s ends the process, and is in the log without secrets', async (_, bug, options) => {
    const { status, stdout, stderr } = await run(bug, options);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/"level":60.*nobody (awaits|catches)/);
    expect(stdout).not.toContain(KEY);
  });
});

it('a start that loses its database ends with a line, without a trace', async () => {
  const { status, stderr } = await start(`throw new Error('timeout exceeded when trying to connect');`, {});
  expect([status, stderr]).toEqual([
    1,
    'The database has gone away during the start: timeout exceeded when trying to connect\n',
  ]);
});
