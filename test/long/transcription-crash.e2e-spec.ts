import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { silent } from '../support/openai-behaviours.js';
import { OpenAiServer } from '../support/openai-server.js';
import { TranscriptionsRoute } from '../support/openai-transcriptions.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { demoVideo } from '../support/uploads.js';

describe('a transcription', () => {
  const route = new TranscriptionsRoute();
  let server: OpenAiServer;
  let service: TestService;

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    service = await startService({ TRANSCRIPTION_URL: server.url, TRANSCRIPTION_MODEL: 'whisper-1' });
    await service.import({ users: [user('Grace')] });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  it('is resumed after its worker was killed', async () => {
    route.recognise = () => [
      { start: 0.4, end: 4.5, text: ' This is the depot, where all the bikes come in.' },
    ];
    const made = recording('Grace', { media: 'meeting.mp4' });
    await service.import({ recordings: [made] }, { 'meeting.mp4': demoVideo() });
    const grace = service.api.as(keyOf('Grace'));
    server.next(silent);
    const worker = await service.startWorker();
    await grace.post(`/recordings/${made.id}/transcription`);
    await eventually(async () => expect(server.requests.length).toBe(1));
    await worker.kill('SIGKILL');
    await service.startWorker();
    await eventually(async () => {
      const { data } = (await grace.get(`/recordings/${made.id}/transcript`)).body;
      expect(data).toMatchObject({
        status: 'completed',
        segments: [{ start: 0.4, end: 4.5, text: 'This is the depot, where all the bikes come in.' }],
      });
    });
    expect(server.failures).toEqual([]);
  }, 60_000);
});
