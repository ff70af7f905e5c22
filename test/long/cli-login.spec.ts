import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { Sandbox } from '../support/process.js';
import { PYTHON } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { inTerminal } from '../support/terminal.js';

const KEY = keyOf('Ada');

describe('mrs login on a terminal', () => {
  const sandbox = new Sandbox();
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await service.stop();
  });

  const login = async (answer: string, home: string) => {
    const script = [resolve('scripts/cli.js'), 'login', service.api.base, '--with-key'];
    return (await inTerminal(sandbox, script, { XDG_CONFIG_HOME: home }, answer)).ended;
  };

  PYTHON.it('asks for the key without showing it', async () => {
    const home = await sandbox.folder();
    const { status, stdout } = await login(`${KEY}\\r`, home);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(`API key of ${service.api.base}: \nLogged in to ${service.api.base} as Ada`),
    ]);
    expect(stdout).not.toContain(KEY);
    const file = readFileSync(join(home, 'mrs', 'credentials.json'), 'utf8');
    expect(JSON.parse(file)).toEqual({ url: service.api.base, api_key: KEY });
  });

  PYTHON.it('gives up with Ctrl-C', async () => {
    const { status, stdout } = await login('\\x03', await sandbox.folder());
    expect([status, stdout]).toEqual([3, expect.stringMatching(/: \nerror: Not logged in\.\n$/)]);
  });
});
