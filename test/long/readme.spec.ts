import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { codeBlocks } from '../support/code-blocks.js';
import { freePort, Sandbox, until, type Ended, type RunningService } from '../support/process.js';
import { CURL, PYTHON } from '../support/requirements.js';
import { createdWebhook } from '../support/webhooks.js';

describe('the first request of the README', () => {
  const sandbox = new Sandbox();
  let service: RunningService;

  beforeAll(async () => {
    service = await sandbox.start({ DATA_DIR: await sandbox.folder(), AUTO_TRANSCRIBE: 'true' });
  });
  afterAll(() => sandbox.cleanUp());

  /** The example in this language with this text, on this service. */
  function example(language: string, text = '/api/v1/recordings'): string {
    const code = codeBlocks('README.md', language).find((block) => block.includes(text));
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

  const upload = (): Promise<Ended> => {
    const demo = fileURLToPath(new URL('../../demo/', import.meta.url));
    return run('sh', ['-c', example('sh', 'transcript?format=txt').replace('demo/', demo)]);
  };

  CURL.it(
    'with curl uploads a file and prints what was said in it',
    async () => {
      const { status, stdout } = await upload();
      expect(status).toBe(0);
      expect(stdout).toContain('Good morning, Steve.');
    },
    300_000,
  );

  CURL.it('with curl ends with the reason if transcription is turned off', async () => {
    const settings = { DATA_DIR: await sandbox.folder(), AUTO_TRANSCRIBE: 'false' };
    service = await sandbox.start(settings);
    const { status, stdout } = await upload();
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/"status":"PROCESSING".*\nNo transcript: transcription is turned off\.\n$/),
    ]);
  });
});

describe('the receiver in the page about webhooks', () => {
  const sandbox = new Sandbox();
  let service: RunningService;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    service = await sandbox.start({ DATA_DIR: await sandbox.folder(), ALLOW_PRIVATE_ADDRESSES: 'true' });
  });
  afterAll(() => sandbox.cleanUp());

  it('accepts what the service sends, and nothing else', async () => {
    const code = codeBlocks('docs/webhooks.md', 'js').join('');
    expect(code.trim().split('\n').length).toBe(12);
    const url = `http://127.0.0.1:${port}/`;
    const { id, secret } = await createdWebhook(service.api, { url });
    const args = ['--input-type=module', '-e', code];
    const receiver = await sandbox.run(args, { WEBHOOK_SECRET: secret, PORT: String(port) });
    await until('the receiver', () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );
    await service.api.post(`/webhooks/${id}/test`);
    await until('the test', () => receiver.stdout.includes('webhook.test'));

    const message = new Date();
    const valid = new Webhook(secret).sign('msg_1', message, '{"type":"mine"}');
    const send = async (body: string, signature: string, sentAt = message): Promise<number> => {
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': signature,
      };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect(await send('{"type":"mine"}', `v1,AAAA ${valid}`)).toBe(204);
    expect(await send('{"type":"forged"}', valid)).toBe(401);
    expect(await send('{"type":"mine"}', '')).toBe(401);
    const old = new Date(Date.now() - 600_000);
    expect(await send('{}', new Webhook(secret).sign('msg_1', old, '{}'), old)).toBe(401);
    expect(receiver.stdout).not.toContain('forged');
    await receiver.kill('SIGTERM');
  });
});

function expectList({ status, stdout, stderr }: Ended): void {
  expect([status, stderr]).toEqual([0, '']);
  const line = /^[0-9a-f-]{36} [A-Z_]+ \S.*$/;
  expect(stdout.trimEnd().split('\n')).toEqual(Array(3).fill(expect.stringMatching(line)));
}
