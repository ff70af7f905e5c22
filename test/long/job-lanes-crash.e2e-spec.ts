import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { silent } from '../support/openai-behaviours.js';
import { OpenAiServer } from '../support/openai-server.js';
import { TranscriptionsRoute } from '../support/openai-transcriptions.js';
import { settled, turned, upload } from '../support/packaged.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { demoVideo } from '../support/uploads.js';

/** Takes seconds to package, as all of it is re-encoded. */
const LONG = turned(demoVideo('customer-call'));

describe('a worker that is killed while it packages one recording and transcribes another', () => {
  let server: OpenAiServer;
  let service: TestService;

  beforeAll(async () => {
    server = await OpenAiServer.start(new TranscriptionsRoute());
    service = await startService({
      TRANSCRIPTION_URL: server.url,
      TRANSCRIPTION_MODEL: 'whisper-1',
      WORKER_CONCURRENCY: '1',
    });
    await service.import({ users: [user('Grace')] });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const holders = async (): Promise<Record<string, string>> => {
    const rows: { task: string; worker: string }[] = await service.dataSource.query(
      `SELECT task_identifier AS task, locked_by AS worker FROM graphile_worker.jobs WHERE locked_by IS NOT NULL`,
    );
    return Object.fromEntries(rows.map(({ task, worker }) => [task, worker]));
  };

  it('loses both jobs to another worker within seconds', async () => {
    const grace = service.api.as(keyOf('Grace'));
    const transcribed = recording('Grace', { media: 'meeting.mp4' });
    await service.import({ recordings: [transcribed] }, { 'meeting.mp4': demoVideo() });
    server.next(silent);
    const worker = await service.startWorker();
    await grace.post(`/recordings/${transcribed.id}/transcription`);
    await eventually(async () => expect(server.requests.length).toBe(1));
    const packaged = await upload(grace, LONG);
    const both = ['packaging.package', 'transcription.transcribe'];
    await eventually(async () => expect(Object.keys(await holders()).sort()).toEqual(both));
    const before = await holders();

    await worker.kill('SIGKILL');
    await service.startWorker();
    const taken = new Set<string>();
    await eventually(async () => {
      for (const [task, holder] of Object.entries(await holders())) {
        if (both.includes(task) && holder !== before[task]) taken.add(task);
      }
      expect([...taken].sort()).toEqual(both);
    });

    expect((await settled(grace, packaged, { withinMs: 60_000 })).status).toBe('COMPLETED');
    await eventually(async () => {
      const { data } = (await grace.get(`/recordings/${transcribed.id}/transcript`)).body;
      expect(data.status).toBe('completed');
    });
    expect(server.failures).toEqual([]);
  }, 150_000);
});
