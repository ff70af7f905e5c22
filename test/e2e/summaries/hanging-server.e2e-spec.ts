import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../../factories/workspace.js';
import { silent } from '../../support/openai-behaviours.js';
import { ChatRoute, json } from '../../support/openai-chat.js';
import { OpenAiServer } from '../../support/openai-server.js';
import { settled } from '../../support/packaged.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created } from '../../support/uploads.js';

describe('summaries that wait for a chat server', () => {
  let service: TestService;
  let server: OpenAiServer;

  beforeAll(async () => {
    const route = new ChatRoute();
    // Never sent.
    route.reply(json({}));
    server = await OpenAiServer.start(route);
    server.always(silent);
    const chat = { CHAT_URL: server.url, CHAT_MODEL: 'test-chat' };
    service = await startService(
      { WORKER_CONCURRENCY: '2', UPLOAD_IDLE_TIMEOUT: '1', ...chat },
      { worker: true },
    );
    await service.import({ users: [user('Ada'), user('Ben'), user('Cleo')] });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  it('of two accounts keep no other work waiting: an upload that was given up is closed', async () => {
    for (const name of ['Ada', 'Ben']) {
      const meeting = recording(name, { transcript: transcript(20) });
      await service.import({ recordings: [meeting] });
      expect((await service.api.as(keyOf(name)).post(`/recordings/${meeting.id}/summary`)).status).toBe(202);
    }
    await eventually(async () => expect(server.requests.length).toBe(2));
    const cleo = service.api.as(keyOf('Cleo'));
    const { id } = await created(cleo);
    expect(await settled(cleo, id)).toMatchObject({
      status: 'ERROR',
      statusReason: 'No data was uploaded in time.',
    });
    expect(server.requests.length).toBe(2);
  });
});
