import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { done, type Client } from '../support/client.js';
import { commandsOn } from '../support/command-line.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { allSent, createdWebhook, startWithSender, type SendingService } from '../support/webhooks.js';

interface Step {
  readonly at: string;
  readonly source: string;
  readonly what: string;
  readonly about: string | null;
  readonly who: string | null;
  readonly request_id: string | null;
}

describe('trace', () => {
  let service: SendingService;
  let receiver: WebhookReceiver;
  let ada: Client;
  let log: string;
  let adaId: string;
  const own = recording('Ada');
  const other = recording('Ada');
  const as = (requestId: string) => ({ headers: { 'x-request-id': requestId } });

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await startWithSender();
    await service.import({ users: [user('Ada')], recordings: [own, other] });
    ada = service.api.as(keyOf('Ada'));
    adaId = (await done(ada.get('/me'))).id;
    await createdWebhook(ada, { url: receiver.url('/hook'), types: ['recording.updated'] });
    await done(ada.patch(`/recordings/${own.id}`, { title: 'Plans' }, as('rename-1')));
    await done(ada.patch(`/recordings/${other.id}`, { title: 'Other' }, as('rename-2')));
    await allSent(service);
    await ada.delete(`/recordings/${own.id}`, as('delete-1'));
    await allSent(service);
    log = join(service.dataDir, 'service.log');
    const request = { method: 'PATCH', path: `/api/v1/recordings/${own.id}`, status: 200, ms: 7 };
    const lines = [
      JSON.stringify({
        level: 30,
        time: '2020-01-01T00:00:00.000Z',
        requestId: 'rename-1',
        ...request,
        msg: 'request',
      }),
      JSON.stringify({
        time: '2020-01-02T00:00:00.000Z',
        recordingId: own.id,
        kind: 'media.tidy',
        msg: 'job',
      }),
      JSON.stringify({ time: '2020-01-03T00:00:00.000Z', recordingId: other.id, msg: 'of another' }),
      `{"requestId":"rename-1","time":"not a time","msg":"\u001b[2J"}`,
      `rename-1 is no JSON`,
      `"rename-1"`,
      `{"requestId":"rename-1","time":"2020-01-04","msg":{"toString":1}}`,
      `{"requestId":"rename-1","time":"2020-01-04","msg":"${'x'.repeat(200_000)}"}`,
      `{"requestId":"rename-1","time":"2020-01-05T00:00:00Z","msg":"bell\\u0007 Bearer abcdefgh"}`,
    ];
    await writeFile(log, lines.join('\n'));
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const { cli } = commandsOn(() => service);
  const trace = async (...args: string[]): Promise<Step[]> => {
    const { status, stdout, stderr } = await cli('--quiet', 'trace', '--json', ...args);
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Step[];
  };

  it('tells the life of a recording in order: changes, webhooks, and jobs that are not done', async () => {
    const steps = await trace(own.id);
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted());
    const found = steps.map(({ source, what, request_id: request }) => [
      source,
      what.split(/[: ]/)[0],
      request,
    ]);
    expect(found.slice(0, 3)).toEqual([
      ['change', 'recording.created', null],
      ['change', 'recording.updated', 'rename-1'],
      ['webhook', 'recording.updated', 'rename-1'],
    ]);
    expect(found).toContainEqual(['change', 'recording.deleted', 'delete-1']);
    expect(found).toContainEqual(['job', 'media.tidy', 'delete-1']);
    expect(steps.find(({ source }) => source === 'webhook')?.what).toMatch(/ to http:.*: 204$/);
    expect(steps[1]).toMatchObject({ about: own.id, who: `user ${adaId}` });
  });

  it('tells what a request has caused, also what waits', async () => {
    const steps = await trace('delete-1');
    expect(new Set(steps.map(({ request_id: request }) => request))).toEqual(new Set(['delete-1']));
    expect(steps.map(({ source }) => source)).toEqual(expect.arrayContaining(['change', 'job']));
    expect(steps.find(({ source }) => source === 'job')?.what).toMatch(/ is due at \d{4}-/);
  });

  it('tells what a user has done, the newest if there is more than --limit', async () => {
    const steps = await trace(adaId, '--limit', '2');
    expect(steps).toHaveLength(2);
    expect(steps.at(-1)).toMatchObject({ request_id: 'delete-1' });
  });

  it('reads the log too, whatever is in it', async () => {
    const steps = (await trace('rename-1', '--log', log)).filter(({ source }) => source === 'log');
    expect(steps).toEqual([
      {
        at: '2020-01-01T00:00:00.000Z',
        source: 'log',
        what: `PATCH /api/v1/recordings/${own.id} 200  7 ms`,
        about: null,
        who: null,
        request_id: 'rename-1',
      },
      expect.objectContaining({ at: '2020-01-05T00:00:00.000Z', what: 'bell\u0007 Bearer [hidden]' }),
    ]);
    const { stdout } = await cli('--quiet', 'trace', 'rename-1', '--log', log);
    expect(stdout).not.toContain('\u0007');
    const ofRecording = (await trace(own.id, '--log', log)).filter(({ source }) => source === 'log');
    expect(ofRecording.map(({ what }) => what.split(' ')[0])).toEqual(['PATCH', 'job']);
  });

  it('says so if there is none, or no such file', async () => {
    expect(await cli('--quiet', 'trace', 'nothing')).toMatchObject({
      status: 4,
      stderr: 'error: nothing: there is no trace of a request, recording or user\n',
    });
    const { status, stderr } = await cli('--quiet', 'trace', 'rename-1', '--log', '/nonexistent');
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: --log: \/nonexistent cannot be read: /),
    ]);
  });
});
