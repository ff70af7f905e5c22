import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ErasureRunService } from '../../src/modules/erasures/erasure-run.service.js';
import { ErasuresService } from '../../src/modules/erasures/erasures.service.js';
import { id, keyOf, member, organization, recording, transcript, user } from '../factories/workspace.js';
import { done, refusal, type Client } from '../support/client.js';
import { columnsWith } from '../support/details.js';
import { startService, waitingForLocks, type TestService } from '../support/service.js';

const WORDS = 'zrunwords';
const MEETINGS = 51;

describe('running an erasure', () => {
  let service: TestService;
  let olga: Client;
  let path: string;
  const acme = organization('Acme', { members: [member('Olga', 'OWNER'), member('Ada', 'EDITOR')] });
  const at = `/organizations/${acme.id}/erasures`;
  const meetings = Array.from({ length: MEETINGS }, () =>
    recording('Olga', {
      organization: 'Acme',
      transcript: {
        language: 'en',
        segments: [
          { start: 0, end: 1, speaker: 'Visitor', text: WORDS, confidence: 1 },
          { start: 1, end: 2, speaker: 'Olga', text: 'I see', confidence: 1 },
        ],
      },
    }),
  );

  beforeAll(async () => {
    service = await startService();
    const recordings = [...meetings, recording('Ada', { organization: 'Acme', transcript: transcript(2) })];
    await service.import({ users: [user('Olga'), user('Ada')], organizations: [acme], recordings });
    olga = service.api.as(keyOf('Olga'));
  });
  afterAll(() => service.stop());

  const previewed = async (asked: object): Promise<string> =>
    `${at}/${(await done(olga.post(at, asked))).id}`;
  const run = (erasure: string, body: object = {}) => olga.post(`${erasure}/run`, body);
  const finish = () =>
    service.app.get(ErasureRunService).run(path.split('/').at(-1)!, new AbortController().signal);

  it('is refused without the number of recordings, if they are many', async () => {
    const refused = await previewed({ speaker_names: ['visitor'] });
    for (const body of [{}, { confirm_recordings: MEETINGS - 1 }])
      expect((await run(refused, body)).body).toEqual(
        refusal(
          'CONFLICT',
          `confirm_recordings: the erasure deletes or changes ${MEETINGS} recordings, more than 50: send this number to confirm it.`,
        ),
      );
  });

  it('is refused for the last OWNER, and a day after the preview', async () => {
    const refused = await run(await previewed({ email: 'olga@acme.test', speaker_names: [] }), {
      confirm_recordings: MEETINGS,
    });
    expect(refused.body).toMatchObject(refusal('CONFLICT'));
    expect(refused.body.error.message).toContain('An organization must have an OWNER');
    const expired = await previewed({ email: 'nobody@acme.test' });
    service.setNow(new Date(Date.now() + 25 * 3_600_000));
    await service.app.get(ErasuresService).expire();
    const late = await run(expired);
    service.setNow(null);
    expect(late.body).toMatchObject(refusal('NOT_FOUND'));
  });

  it('is refused as a whole while a recording is under legal hold', async () => {
    const hold = id();
    await service.dataSource.query(
      `INSERT INTO legal_holds (id, organization_id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
       VALUES ($1, $2, 'Case 24/117', 'Court order', '{}', '{}', '{}', now())`,
      [hold, acme.id],
    );
    await service.dataSource.query('INSERT INTO held_recordings VALUES ($1, $2)', [meetings[9]!.id, hold]);
    path = await previewed({ speaker_names: ['Visitor'] });
    const body = { confirm_recordings: MEETINGS };
    expect((await run(path, body)).body).toMatchObject(refusal('LEGAL_HOLD'));

    // Placed after it was begun: what is under hold stays, and it is said.
    await service.dataSource.query('DELETE FROM held_recordings');
    expect((await run(path, body)).status).toBe(202);
    await service.dataSource.query('INSERT INTO held_recordings VALUES ($1, $2)', [meetings[9]!.id, hold]);
    await finish();
    expect(await done(olga.get(path))).toMatchObject({
      status: 'failed',
      status_reason: 'This recording cannot be erased from at the moment.',
      receipt: null,
    });
    const { segments } = await done(olga.get(`/recordings/${meetings[9]!.id}/transcript`));
    expect(segments).toMatchObject([{ speaker: 'Visitor', text: WORDS }, { speaker: 'Olga' }]);
    await service.dataSource.query('DELETE FROM legal_holds');
  });

  it('goes on where a worker that was killed has left it', async () => {
    expect((await run(path)).status).toBe(202);
    await service.dataSource.transaction(async (manager) => {
      await manager.query('SELECT FROM recordings WHERE id = $1 FOR UPDATE', [meetings[9]!.id]);
      const worker = await service.startWorker();
      await waitingForLocks(service, 1);
      await worker.kill('SIGKILL');
    });
    expect((await done(olga.get(path))).status).toBe('running');
    expect(await columnsWith(service.dataSource, [WORDS])).not.toEqual([]);

    await finish();
    const { status, receipt } = await done(olga.get(path));
    expect(status).toBe('completed');
    expect(receipt.counts).toMatchObject({
      recordings_changed: MEETINGS,
      segments: MEETINGS,
      recordings_without_audio: MEETINGS,
      recordings_deleted: 0,
    });
    expect(receipt.recordings).toHaveLength(MEETINGS);
    expect(await columnsWith(service.dataSource, [WORDS])).toEqual(['search_words.word']);
    expect((await run(path)).body).toEqual(
      refusal('CONFLICT', 'This erasure is completed. Begin with a new preview.'),
    );
  }, 60_000);

  it('completes if a recording that had still to be silenced has been deleted', async () => {
    path = await previewed({ speaker_names: ['Somebody else'] });
    expect((await run(path)).status).toBe(202);
    await service.dataSource.query(
      `INSERT INTO erasure_recordings VALUES ($1, $2, '{"recordings_changed": 1}', '[{"start": 0, "end": 1}]')`,
      [path.split('/').at(-1), id()],
    );
    await finish();
    const { status, receipt } = await done(olga.get(path));
    expect(status).toBe('completed');
    expect(receipt.counts).toMatchObject({ recordings_changed: 1, recordings_without_audio: 1 });
  });
});
