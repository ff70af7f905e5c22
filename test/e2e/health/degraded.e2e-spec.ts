import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS } from '../../../src/platform/config/settings.js';
import { keyOf, recording, transcript, user } from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { fakeVideo } from '../../support/uploads.js';

const FULL = {
  code: 'SERVICE_UNAVAILABLE',
  message:
    'The disk of the service is full, so it takes no uploads and imports until there is room again; nothing that was acknowledged is lost.',
};

describe('a service that lacks something that requests can do without', () => {
  const said = recording('Ada', { transcript: transcript(3) });
  let service: TestService;
  let models: Server;
  let status = 500;
  let ada: Client;

  beforeAll(async () => {
    models = createServer((_request, response) => void response.writeHead(status).end('{}')).listen(0);
    const url = `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`;
    service = await startService(
      { CHAT_URL: url, CHAT_MODEL: 'm', CHAT_API_KEY: 'secret-of-chat' },
      { worker: true },
    );
    await service.import({ users: [user('Ada')], recordings: [said] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(async () => {
    await service.stop();
    models.close();
  });

  /** As if the disk had lost or gained room. */
  const leaveFree = (minFreeDisk: number): void =>
    void Object.assign(service.app.get<object>(SETTINGS), { minFreeDisk });
  const ready = async (): Promise<Reply['body']> => (await service.api.get('//health/ready')).body.data;
  const upload = (id: string): Promise<Reply> =>
    ada.request('PUT', `/recordings/${id}/media`, {
      body: fakeVideo(1000),
      headers: { 'content-type': 'video/mp4' },
    });

  it('says so of a chat server, without its URL and key, and answers on', async () => {
    const chat = async () => {
      const { dependencies } = await ready();
      return dependencies.find(({ name }: { name: string }) => name === 'chat');
    };
    // Nobody waits for its answer.
    expect(await chat()).toEqual({ name: 'chat', status: 'ok', message: null });
    await eventually(async () =>
      expect(await chat()).toEqual({
        name: 'chat',
        status: 'degraded',
        message: 'The chat server answers with an error (500).',
      }),
    );
    status = 200;
    expect((await ada.get('/recordings')).status).toBe(200);
  });

  it('refuses uploads and imports while the disk is full, and only these', async () => {
    const { body } = await ada.post('/recordings', { title: 'Begun' });
    const { id } = body.data;
    leaveFree(1e12);
    const refusals = await Promise.all([
      ada.post('/recordings', { title: 'Later' }),
      ada.post('/recordings', { title: 'Later', source_url: 'https://example.com/a.mp4' }),
      upload(id),
      ada.request('PUT', `/recordings/${said.id}/transcript`, {
        body: { segments: [{ start: 0, end: 1, text: 'Hello.' }] },
      }),
    ]);
    for (const { status: code, headers, body: refused } of refusals) {
      expect([code, refused.error]).toEqual([503, FULL]);
      expect(headers.get('retry-after')).toBe('30');
    }
    expect((await ada.get(`/recordings/${said.id}/transcript`)).status).toBe(200);
    expect((await ada.patch(`/recordings/${said.id}`, { title: 'Renamed' })).status).toBe(200);
    await eventually(async () => {
      const { status: overall, dependencies } = await ready();
      expect(overall).toBe('degraded');
      expect(dependencies).toContainEqual({
        name: 'disk',
        status: 'degraded',
        message: expect.stringMatching(
          /^\S+ [kMGT]?B are free for DATA_DIR, less than MIN_FREE_DISK \(1 TB\)\. Uploads are refused: free up space\.$/,
        ),
      });
    });

    leaveFree(0);
    expect((await upload(id)).status).toBe(200);
    await eventually(async () => expect(await ready()).not.toMatchObject({ status: 'down' }));
  });
});
