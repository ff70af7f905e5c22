import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScratchService } from '../../../src/modules/pipeline/packaging/scratch.service.js';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { wav } from '../../support/speech.js';
import { RawTus, TUS } from '../../support/uploads.js';

/** A tone with pauses, which differ. */
const voice = (seconds: number, every: number): Buffer =>
  wav(seconds, (time) => (time % every < every / 2 ? 0.2 * Math.sin(2 * Math.PI * 220 * every * time) : 0));

describe('tracks of a recording', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Bob', 'VIEWER')] });
  const [adas, bob, eve] = ['Ada', 'Bob', 'Eve'].map((name) => user(name));

  beforeAll(async () => {
    service = await startService({ AUTO_TRANSCRIBE: 'false' }, { worker: true });
    await service.import({ users: [adas!, bob!, eve!], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const create = async (fields: object = {}): Promise<string> =>
    (
      await ada.post('/recordings', {
        title: 'Weekly sync',
        media: 'none',
        organization_id: acme.id,
        ...fields,
      })
    ).body.data.id;
  const add = async (
    id: string,
    fields: object = {},
  ): Promise<{ id: string; name: string; upload_url: string }> => {
    const { status, body } = await ada.post(`/recordings/${id}/tracks`, fields);
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data;
  };
  const put = (id: string, track: string, body: Uint8Array): Promise<Reply> =>
    ada.request('PUT', `/recordings/${id}/tracks/${track}/media`, {
      body,
      headers: { 'content-type': 'application/octet-stream' },
    });
  const list = async (id: string): Promise<Record<string, unknown>[]> =>
    (await ada.get(`/recordings/${id}/tracks`)).body.data;
  it('are uploaded in any order, and mixed if there is no other media', async () => {
    const id = await create();
    const grace = await add(id, { name: 'Grace', offset: 2 });
    const own = await add(id, { user_id: bob!.id, offset: 0, language: 'en' });
    expect(own).toMatchObject({
      name: 'Bob',
      status: 'UPLOADING',
      progress: 0,
      kind: 'audio',
      language: 'en',
    });
    expect(grace.upload_url).toMatch(new RegExp(`/api/v1/uploads/${grace.id}$`));

    const first = voice(4, 1);
    const tus = new RawTus(ada, grace.id);
    await ada.request('PATCH', `/uploads/${grace.id}`, {
      headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: first.subarray(0, 1000),
    });
    expect(await tus.offset()).toBe(1000);
    expect((await put(id, own.id, voice(5, 0.7))).status).toBe(200);
    const rest = { 'upload-length': String(first.length) };
    expect((await tus.patch(1000, first.subarray(1000), rest)).status).toBe(204);

    const done = { status: 'COMPLETED', alignment: 'given', progress: 1 };
    await eventually(async () =>
      expect(await list(id)).toMatchObject([
        { ...done, name: 'Grace', offset: 2, duration: 4, user_id: null },
        { ...done, name: 'Bob', offset: 0, duration: 5, user_id: bob!.id },
      ]),
    );
    await eventually(async () => {
      const { data } = (await ada.get(`/recordings/${id}`)).body;
      expect(data).toMatchObject({ status: 'COMPLETED', statusReason: null, hlsUrl: expect.any(String) });
      expect(data.duration).toBeCloseTo(6, 0);
    });
  });

  it('are renamed with the speaker of the transcript, and count towards the quota until they are deleted', async () => {
    const id = await create();
    const grace = await add(id, { name: 'Grace', size: 1_000 });
    const at = `/recordings/${id}/tracks/${grace.id}`;
    const segments = [{ start: 0, end: 1, speaker: 'Grace', text: 'Hello' }];
    await ada.request('PUT', `/recordings/${id}/transcript`, { body: { language: 'en', segments } });
    const renamed = await ada.patch(at, { name: 'Ada Lovelace', user_id: adas!.id });
    expect(renamed.body.data).toMatchObject({ id: grace.id, name: 'Ada Lovelace', user_id: adas!.id });
    expect((await ada.get(`/recordings/${id}/transcript`)).body.data.speakers).toEqual(['Ada Lovelace']);

    const used = async (): Promise<unknown[]> =>
      service.dataSource.query('SELECT stored_bytes FROM recordings WHERE id = $1', [id]);
    expect(await used()).toEqual([{ stored_bytes: '1000' }]);
    expect((await ada.delete(at)).status).toBe(200);
    expect(await used()).toEqual([{ stored_bytes: '0' }]);
    expect((await ada.delete(at)).body).toEqual(refusal('TRACK_NOT_FOUND'));
  });

  it('are transcribed if the last request that says so wants it', async () => {
    const id = await create();
    const wanted = async (fields: object): Promise<boolean> => {
      await add(id, fields);
      const rows = await service.dataSource.query('SELECT auto_transcribe FROM recordings WHERE id = $1', [
        id,
      ]);
      return rows[0].auto_transcribe;
    };
    expect(await wanted({})).toBe(false);
    expect(await wanted({ transcribe: true })).toBe(true);
    expect(await wanted({})).toBe(true);
  });

  it('say why they are not taken', async () => {
    const id = await create();
    const track = await add(id);
    const captions = Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'.repeat(200));
    const { status, body } = await put(id, track.id, captions);
    expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await list(id)).toMatchObject([
      { status: 'ERROR', status_reason: expect.stringMatching(/^The file is /), duration: null },
    ]);
  });

  it('keep the folder in which they are mixed while other work begins', async () => {
    const scratch = service.app.get(ScratchService, { strict: false });
    await scratch.withinOwn(async (folder) => {
      await scratch.within(randomUUID(), () => Promise.resolve());
      expect(existsSync(folder)).toBe(true);
    });
  });

  it('are checked when they are added', async () => {
    const id = await create();
    const adding = (fields: object) => ada.post(`/recordings/${id}/tracks`, fields);
    expect((await adding({ user_id: eve!.id })).body).toEqual(
      refusal(
        'VALIDATION_ERROR',
        'user_id: must be a member of the organization, or the owner of the recording',
      ),
    );
    expect((await adding({ offset: 1e9 })).body.error.message).toMatch(
      /^offset: must be a number from -86400 to 86400/,
    );
    expect((await adding({ kind: 'photo' })).body.error.message).toMatch(
      /^kind: must be one of audio, video, screen/,
    );
    await add(id);
    await service.dataSource.query(
      `INSERT INTO tracks (id, recording_id, name, kind, origin, created_at)
       SELECT gen_random_uuid(), $1, 'Speaker ' || number, 'audio', 'upload', now() FROM generate_series(2, 50) number`,
      [id],
    );
    expect((await adding({})).body).toEqual(
      refusal('CONFLICT', 'The recording has 50 tracks, which is the limit. Delete one first.'),
    );
    const [first] = await list(id);
    await ada.delete(`/recordings/${id}/tracks/${first!['id']}`);
    await add(id);
    // Two with the same name would be one speaker.
    expect(new Set((await list(id)).map(({ name }) => name)).size).toBe(50);
    const bobs = service.api.as(keyOf('Bob'));
    expect((await bobs.post(`/recordings/${id}/tracks`, {})).status).toBe(404);
  });
});
