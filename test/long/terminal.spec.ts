import { resolve } from 'node:path';
import { afterAll, describe, expect } from '@jest/globals';
import { RunningService, Sandbox, until } from '../support/process.js';
import { PYTHON } from '../support/requirements.js';

/** Runs its arguments in a terminal; what they write there goes to standard output. */
const IN_TERMINAL = `
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
try:
    while True: os.write(1, os.read(terminal, 65536).replace(b'\\r\\n', b'\\n'))
except OSError: pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

describe('npm start in a terminal', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  PYTHON.it(
    'shows the banner after everything else of the start, then one short line for each request',
    async () => {
      const command = [process.execPath, resolve('scripts/start.js')];
      const settings = { DATA_DIR: await sandbox.folder(), PORT: '0' };
      const program = await sandbox.run(['-c', IN_TERMINAL, ...command], settings, 'python3');
      const service = await RunningService.from(program);
      const banner = program.stdout;
      expect(banner).toMatch(
        /^Starting\.\.\.\n\d\d:\d\d:\d\d {2}processes that parse uploads are confined {2}confinement=\w+.*\n\d\d:\d\d:\d\d {2}worker started\n\nMeeting Recording Service is ready/,
      );

      await service.api.get('/me');
      await service.api.as('mrs_wrong').get('/recordings?search=secret');
      await until('the log', () => program.stdout.includes('/recordings 401'));
      const lines = program.stdout.slice(banner.length).trim().split('\n');
      expect(lines).toEqual([
        expect.stringMatching(/^\d\d:\d\d:\d\d {2}GET \/api\/v1\/me 200 {2}\d+ ms$/),
        expect.stringMatching(/^\d\d:\d\d:\d\d {2}GET \/api\/v1\/recordings 401 {2}\d+ ms/),
      ]);
      expect(await service.stop()).toMatchObject({ status: 0 });
    },
  );
});
