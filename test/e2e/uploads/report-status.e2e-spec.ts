import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { created, demoVideo, RawTus } from '../../support/uploads.js';

const video = demoVideo();

describe('PATCH /recordings/:id with a status', () => {
  let service: TestService;
  let ada: Client;
  const fixed = ['PROCESSING', 'COMPLETED', 'ERROR'].map((status) =>
    recording('Ada', { status, title: status }),
  );

  beforeAll(async () => {
    service = await startService({ MAX_OPEN_UPLOADS: '200' });
    await service.import({ users: [user('Ada')], recordings: fixed });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const report = (id: string, status: string, more: object = {}): Promise<Reply> =>
    ada.patch(`/recordings/${id}`, { status, ...more });
  const detail = async (id: string): Promise<Record<string, unknown>> =>
    (await ada.get(`/recordings/${id}`)).body.data;

  async function expectDone(id: string, status: string): Promise<void> {
    const reply = await report(id, status);
    expect(reply.body).toEqual({ data: { success: true } });
    expect(reply.status).toBe(200);
    expect((await detail(id))['status']).toBe(status);
  }

  it('follows a meeting from its start to its recording, and back while it reconnects', async () => {
    const { id } = await created(ada);
    const way = [
      'STARTING',
      'CONNECTING',
      'WAIT_APPROVAL',
      'CONNECTING',
      'RECORDING',
      'CONNECTING',
      'RECORDING',
    ];
    for (const status of way) await expectDone(id, status);
    expect(await detail(id)).toMatchObject({ status: 'RECORDING', statusReason: null, progress: 0 });
  });

  it.each(['RECORDING', 'ERROR'])('accepts %s again, which changes nothing', async (status) => {
    const { id } = await created(ada);
    service.setNow(new Date('2026-04-01T08:00:00.000Z'));
    await expectDone(id, status);
    const before = await detail(id);
    await expectDone(id, status);
    service.setNow(null);
    expect(await detail(id)).toEqual(before);
  });

  it.each([
    ['RECORDING', 'STARTING', 'CONNECTING, ERROR'],
    ['CONNECTING', 'STARTING', 'WAIT_APPROVAL, RECORDING, ERROR'],
  ])('in %s refuses %s with 409 and names the allowed statuses', async (current, next, allowed) => {
    const { id } = await created(ada);
    await report(id, current);
    const { status, body } = await report(id, next);
    expect(status).toBe(409);
    expect(body).toEqual(
      refusal(
        'CONFLICT',
        `status: a recording in ${current} cannot become ${next}; allowed next: ${allowed}`,
      ),
    );
    expect((await detail(id))['status']).toBe(current);
  });

  it.each(fixed.map(({ id, title }) => [title as string, id]))(
    'in %s refuses RECORDING: no status can be reported',
    async (current, id) => {
      const { status, body } = await report(id, 'RECORDING');
      expect(status).toBe(409);
      expect(body).toEqual(
        refusal(
          'CONFLICT',
          `status: a recording in ${current} cannot become RECORDING; no status can be reported any more; create another recording with POST /api/v1/recordings`,
        ),
      );
      expect((await detail(id))['status']).toBe(current);
    },
  );

  it('of ERROR sets the reason and ends the upload: more bytes get 409', async () => {
    const { id } = await created(ada, { size: video.length });
    const tus = new RawTus(ada, id);
    await tus.patch(0, video.subarray(0, 10_000));
    await expectDone(id, 'ERROR');
    expect((await detail(id))['statusReason']).toBe('The client reported an error.');
    const replies = [
      await tus.patch(10_000, video.subarray(10_000)),
      await ada.request('PUT', `/recordings/${id}/media`, { body: video }),
      await tus.delete(),
    ];
    for (const { status, body } of replies) {
      expect(body).toEqual(
        refusal(
          'CONFLICT',
          `The upload of this recording is closed. Open another with POST /api/v1/recordings/${id}/upload.`,
        ),
      );
      expect(status).toBe(409);
    }
    expect((await detail(id))['status']).toBe('ERROR');
  });

  it('changes title and notes in the same request', async () => {
    const { id } = await created(ada);
    expect((await report(id, 'RECORDING', { title: 'Live', notes: 'now' })).status).toBe(200);
    expect(await detail(id)).toMatchObject({ status: 'RECORDING', title: 'Live', notes: 'now' });
  });

  it('changes everything or nothing', async () => {
    const { id } = await created(ada, { title: 'Before' });
    await report(id, 'RECORDING');
    const before = await detail(id);
    expect((await report(id, 'STARTING', { title: 'After' })).status).toBe(409);
    expect((await report(id, 'CONNECTING', { title: '' })).status).toBe(400);
    expect(await detail(id)).toEqual(before);
  });

  it.each([
    ['COMPLETED', ''],
    ['recording', '; did you mean RECORDING?'],
    [null, ''],
  ])('refuses %j, which cannot be reported, with 400', async (status, meant) => {
    const { id } = await created(ada);
    const reply = await ada.patch(`/recordings/${id}`, { status });
    expect(reply.body).toEqual(
      refusal(
        'VALIDATION_ERROR',
        `status: must be one of STARTING, CONNECTING, WAIT_APPROVAL, RECORDING, ERROR${meant}`,
      ),
    );
    expect(reply.status).toBe(400);
    expect((await detail(id))['status']).toBe('UPLOADING');
  });
});
