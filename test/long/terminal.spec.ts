import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect } from '@jest/globals';
import { RunningService, Sandbox, until } from '../support/process.js';
import { PYTHON } from '../support/requirements.js';
import { inTerminal } from '../support/terminal.js';

describe('npm start in a terminal', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  PYTHON.it(
    'shows the banner after everything else of the start, then one short line for each request',
    async () => {
      const dataDir = await sandbox.folder();
      const settings = { DATA_DIR: dataDir, PORT: '0', WEB_CONCURRENCY: '2' };
      const program = await inTerminal(sandbox, [resolve('scripts/start.js')], settings);
      const service = await RunningService.from(program);
      const banner = program.stdout;
      expect(banner).toMatch(
        /^Starting\.\.\.\n(?:\d\d:\d\d:\d\d {2}.+\n)+\nMeeting Recording Service is ready/,
      );
      for (const line of [
        /starting {2}version=\d+\.\d+\.\d+ {2}node=\S+ {2}role=all {2}settings=\{.*"WEB_CONCURRENCY":"2"/,
        /maximum connections to PostgreSQL {2}connections=\d+ {2}allowed=\d+/,
        /processes that parse uploads are confined {2}role=worker {2}confinement=\w+/,
        /worker started {2}role=worker/,
      ])
        expect(banner).toMatch(line);

      expect(service.apiKey).toMatch(/^mrs_/);
      // Removed only once the key has been shown.
      await until('the file of the key to be gone', () => !readdirSync(dataDir).includes('demo-api-key'));

      await service.api.get('/me');
      await service.api.as('mrs_wrong').get('/recordings?search=secret');
      const lines = () =>
        program.stdout
          .slice(banner.length)
          .split('\n')
          .filter((line) => line.includes('GET'));
      await until('the log', () => lines().length >= 2 && program.stdout.endsWith('\n'));
      // Either process may write first.
      expect(lines().toSorted()).toEqual([
        expect.stringMatching(/^\d\d:\d\d:\d\d {2}GET \/api\/v1\/me 200 {2}\d+ ms$/),
        expect.stringMatching(/^\d\d:\d\d:\d\d {2}GET \/api\/v1\/recordings 401 {2}\d+ ms/),
      ]);
      expect(await service.stop()).toMatchObject({ status: 0 });
    },
  );
});
