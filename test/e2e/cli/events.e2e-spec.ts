import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, recording, user } from '../../factories/workspace.js';
import { commandsAs, interrupt, onTerminal, printedSoFar } from '../../support/command-line.js';
import { allPublished } from '../../support/events.js';
import { eventually, type TestService } from '../../support/service.js';
import { isSigned, WebhookReceiver } from '../../support/webhook-receiver.js';
import { allSent, createdWebhook, startWithSender } from '../../support/webhooks.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const plan = recording('Ada', { title: 'Plan' });

describe('mrs follows the events of a server', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  const { cli } = commandsAs(() => service.api.base, keyOf('Ada'));
  let count = 0;
  /** Again and again, as only what happens after a command has connected is seen by it. */
  const renameUntil = (seen: () => boolean): Promise<void> =>
    eventually(async () => {
      count += 1;
      await service.api.as(keyOf('Ada')).patch(`/recordings/${plan.id}`, { notes: `Plan ${count}` });
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (!seen()) throw new Error('not seen yet');
    });

  beforeAll(async () => {
    service = await startWithSender();
    await service.import({ users: [user('Ada')], recordings: [plan] });
    // As 1.0.0 took it.
    await service.dataSource.query('UPDATE recordings SET title = $1 WHERE id = $2', [
      'Plan\u001b[2J',
      plan.id,
    ]);
    await allPublished(service);
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    await receiver.stop();
    await service.stop();
  });

  it('tails them as lines on a terminal, until it is interrupted', async () => {
    const ended = onTerminal(async () => {
      const running = cli('events', 'tail', '--types', 'recording.*', '--recording', plan.id);
      await renameUntil(() => printedSoFar().includes('recording.updated'));
      await interrupt();
      return running;
    });
    const { status, stdout, stderr } = await ended;
    expect([status, stderr]).toEqual([0, `Following the events of ${service.api.base}. Ctrl-C ends this.\n`]);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}recording\.updated {7}Plan \[2J\n/);
  });

  it('tails them as lines of JSON elsewhere', async () => {
    const running = cli('events', 'tail', '--quiet');
    await renameUntil(() => printedSoFar().includes('\n'));
    await interrupt();
    const { status, stdout, stderr } = await running;
    expect([status, stderr]).toEqual([0, '']);
    const [line = ''] = stdout.split('\n');
    expect(JSON.parse(line)).toEqual({
      id: expect.any(String),
      type: 'recording.updated',
      timestamp: expect.any(String),
      data: expect.objectContaining({ recording_id: plan.id }),
    });
    expect(line).not.toContain('\u001b');
  });

  it('forwards them to a local URL, signed like those of webhooks', async () => {
    const running = cli('webhooks', 'listen', '--forward', receiver.url('/hook'), '--secret', SECRET);
    await renameUntil(() => receiver.received.length > 0);
    receiver.behaviour = { status: 500 };
    await renameUntil(() => printedSoFar().includes('  500  '));
    await interrupt();
    const { status, stdout, stderr } = await running;
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('whsec_')]);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}recording\.updated {2}204 {2}\d+ ms\n/);
    const [first] = receiver.received;
    expect(first && isSigned(first, SECRET)).toBe(true);
    expect(first && isSigned(first, SECRET.replace('BwcH', 'BwcI'))).toBe(false);
    expect(first).toMatchObject({
      path: '/hook',
      headers: { 'content-type': 'application/json', 'webhook-id': first?.body.id },
      body: { type: 'recording.updated', data: { recording: { id: plan.id } } },
    });
    expect(Object.keys(first?.body)).toEqual(['id', 'type', 'timestamp', 'data']);
  });

  it('prints the secret that it signs with, and goes on while nobody listens', async () => {
    const running = cli('webhooks', 'listen', '--forward', 'http://127.0.0.1:2/', '--json');
    await renameUntil(() => printedSoFar().includes('\n'));
    await interrupt();
    const { status, stdout, stderr } = await running;
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^Secret of the signatures: whsec_\S{44}\n/)]);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual({
      id: expect.any(String),
      type: 'recording.updated',
      status: null,
      duration_ms: expect.any(Number),
      error: 'ECONNREFUSED',
    });
  });

  it.each([
    ['--forward', ['--forward', 'file:///etc/passwd']],
    ['--secret', ['--forward', 'http://127.0.0.1:9/', '--secret', 'whsec_!']],
  ])('refuses a wrong %s', async (option, args) => {
    const { status, stderr } = await cli('webhooks', 'listen', ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`error: ${option}: must `)]);
    expect(stderr).not.toContain('whsec_!');
  });

  it.each([
    ['an unknown type', ['--types', 'recording.nonsense'], 2, /types/],
    ['a recording that is not there', ['--recording', id()], 4, /./],
    [
      'a host that does not exist',
      ['--forward', 'http://nowhere.invalid/'],
      2,
      /--forward: there is no host/,
    ],
  ])('refuses %s before it begins', async (_, args, status, message) => {
    const ended = await cli('webhooks', 'listen', '--forward', 'http://127.0.0.1:9/', ...args);
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([status, '', expect.stringMatching(message)]);
    expect(ended.stderr).not.toMatch(/Following|Secret/);
  });

  it('refuses a key without the scope for events before it begins', async () => {
    const { body } = await service.api
      .as(keyOf('Ada'))
      .post('/api-keys', { name: 'x', scopes: ['recordings:read'] });
    const narrow = commandsAs(() => service.api.base, body.data.key);
    const { status, stderr } = await narrow.cli('webhooks', 'listen', '--forward', receiver.url('/hook'));
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^error: .*events:read/)]);
  });

  it('sends to a URL with a password, and to any port', async () => {
    receiver.received.splice(0);
    const url = receiver.url('/hook').replace('//', '//ada:secret@');
    const running = cli('webhooks', 'listen', '--forward', url, '--secret', SECRET);
    await renameUntil(() => receiver.received.length > 0);
    await interrupt();
    expect((await running).status).toBe(0);
    const [first] = receiver.received;
    expect(first?.headers['authorization']).toBe(`Basic ${Buffer.from('ada:secret').toString('base64')}`);
  });

  it('sends a webhook again what it was sent in a time', async () => {
    const { id: webhook } = await createdWebhook(service.api.as(keyOf('Ada')), {
      url: receiver.url('/again'),
      types: ['recording.updated'],
    });
    await service.api.as(keyOf('Ada')).patch(`/recordings/${plan.id}`, { notes: 'Again' });
    await allSent(service);
    const replay = (...args: string[]) => cli('--quiet', 'webhooks', 'replay', ...args);
    const range = ['--from', '2026-01-01'];
    expect(await replay(webhook, ...range, '--failed', '--json')).toMatchObject({
      status: 0,
      stdout: '{"replayed":0}\n',
    });
    expect(await replay(webhook, ...range)).toMatchObject({
      status: 0,
      stdout: '1 event queued to be sent again.\n',
    });
    await allSent(service);
    expect(receiver.types('/again')).toEqual(['recording.updated', 'recording.updated']);
    expect(await replay(id(), ...range)).toMatchObject({ status: 4, stdout: '' });
    expect(await replay(webhook, '--from', 'noon')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: from: must be an ISO 8601/),
    });
  });
});
