import { Writable } from 'node:stream';
import { jest } from '@jest/globals';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { user } from '../factories/workspace.js';
import { startService } from '../support/service.js';
import { describeSourceUrlLog } from '../support/source-url-log.js';

/** In this process; `test/long` has the same with processes. */
describeSourceUrlLog(async (settings) => {
  let written = '';
  const logs = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  const create = jest.spyOn(AppLogger, 'to').mockImplementation((_, level) => new AppLogger(level, logs));
  const started = startService(settings, { worker: true });
  const service = await started.finally(() => create.mockRestore());
  await service.import({ users: [user('Ada')] });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= service.stop());
  return { api: service.api, written: () => written, stop, cleanUp: stop };
});
