import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../../factories/workspace.js';
import { LiveMeeting } from '../../../support/live-meeting.js';
import { startService, type TestService } from '../../../support/service.js';
import { speechFile } from '../../../support/speech.js';

describe('meetings in progress', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ AUTO_TRANSCRIBE: 'true' });
    await service.import({ users: [user('Ada'), user('Bob')] });
  });
  afterAll(() => service.stop());

  const begin = async (name: string): Promise<string> => {
    const meeting = await LiveMeeting.begin(service.api.as(keyOf(name)));
    await meeting.send(speechFile('jfk.flac').subarray(0, 10_000));
    return meeting.id;
  };

  it('take turns by user: the first of one goes before the second of another', async () => {
    const ada = [await begin('Ada'), await begin('Ada'), await begin('Ada')];
    const bob = await begin('Bob');
    const jobs = await service.dataSource.query<{ id: string; priority: number }[]>(
      `SELECT substr(key, length('listen:') + 1) AS id, priority FROM graphile_worker.jobs
       WHERE task_identifier = 'transcription.listen'`,
    );
    const priorities = [...ada, bob].map((id) => jobs.find((job) => job.id === id)?.priority);
    expect(priorities).toEqual([0, 1, 2, 0]);
  });
});
