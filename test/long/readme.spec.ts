import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeBlocks } from '../support/code-blocks.js';
import { Sandbox, type Ended, type RunningService } from '../support/process.js';
import { CURL, PYTHON } from '../support/requirements.js';

describe('the first request of the README', () => {
  const sandbox = new Sandbox();
  let service: RunningService;

  beforeAll(async () => {
    service = await sandbox.start({ DATA_DIR: await sandbox.folder() });
  });
  afterAll(() => sandbox.cleanUp());

  /** The example in this language, on this service. */
  function example(language: string): string {
    const code = codeBlocks('README.md', language).find((block) => block.includes('/api/v1/recordings'));
    return String(code).replace('http://localhost:3000', service.base);
  }

  async function run(program: string, args: readonly string[], KEY = service.apiKey): Promise<Ended> {
    return (await sandbox.run(args, { KEY }, program)).ended;
  }

  it('in JavaScript lists recordings', async () => {
    expectList(await run(process.execPath, ['--input-type=module', '-e', example('js')]));
  });

  it('in JavaScript tells a wrong key', async () => {
    const ended = await run(process.execPath, ['--input-type=module', '-e', example('js')], 'mrs_wrong');
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining('Error: INVALID_API_KEY: ') });
  });

  PYTHON.it('in Python lists recordings', async () => {
    expectList(await run('python3', ['-c', example('python')]));
  });

  CURL.it('with curl lists recordings', async () => {
    const { status, stdout } = await run('sh', ['-c', example('sh')]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).data).toHaveLength(3);
  });
});

function expectList({ status, stdout, stderr }: Ended): void {
  expect([status, stderr]).toEqual([0, '']);
  const line = /^[0-9a-f-]{36} [A-Z_]+ \S.*$/;
  expect(stdout.trimEnd().split('\n')).toEqual(Array(3).fill(expect.stringMatching(line)));
}
