import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { refusal, type Client } from '../support/client.js';
import { sha256 } from '../support/objects.js';
import { readHls, settled, turned, upload, type Detail } from '../support/packaged.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { created, demoVideo, RawTus } from '../support/uploads.js';

const FILM = demoVideo();
const FILM_SECONDS = 18.35;
const OTHER = demoVideo('customer-call');
const WITHIN_MS = 25_000;
/** It is found out only when the film is decoded. */
const UNPLAYABLE = Buffer.concat([FILM.subarray(0, FILM.indexOf('mdat') + 4), Buffer.alloc(20_000)]);
const ONGOING =
  'This recording has an open upload. Send its file with PUT /api/v1/recordings/{id}/media, or the rest with PATCH /api/v1/uploads/{id}; DELETE cancels it.';

describe('new media of a recording', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const detail = async (id: string): Promise<Detail> => (await ada.get(`/recordings/${id}`)).body.data;
  const open = (id: string, fields: object = {}) => ada.post(`/recordings/${id}/upload`, fields);
  const put = (id: string, content: Uint8Array) =>
    ada.request('PUT', `/recordings/${id}/media`, { body: content });
  const used = async (): Promise<number> => (await ada.get('/me')).body.data.quotas.stored_bytes.used;
  const shaOf = async (url: string): Promise<string> =>
    sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()));
  const refusedWith = (message: string) => [409, refusal('CONFLICT', message)];

  /** Waits until the new media has been published or has failed. */
  async function ended(id: string): Promise<Detail> {
    let last: Detail;
    await eventually(async () => {
      last = await detail(id);
      expect(last.newMedia?.status ?? 'failed').toBe('failed');
    }, WITHIN_MS);
    return last!;
  }
  async function replaced(id: string, content: Uint8Array): Promise<Detail> {
    expect((await open(id)).status).toBe(201);
    expect((await put(id, content)).status).toBe(200);
    return ended(id);
  }
  async function imported(overrides: object): Promise<string> {
    const made = recording('Ada', overrides);
    await service.import({ recordings: [made] }, { 'film.mp4': FILM });
    return made.id;
  }
  const film = async (): Promise<Detail> => settled(ada, await upload(ada, FILM));
  const contentsOf = async (hlsUrl: string): Promise<[string, number, string][]> =>
    (await readHls(hlsUrl)).map(({ name, status, content }) => [name, status, sha256(content)]);

  it('is added to an imported recording that has none, whose status and transcript stay', async () => {
    const id = await imported({ transcript: transcript(3) });
    const opened = await open(id, { size: FILM.length });
    expect([opened.status, opened.body.data]).toMatchObject([
      201,
      {
        status: 'COMPLETED',
        videoUrl: null,
        newMedia: { status: 'uploading', progress: 0, statusReason: null },
        upload_url: expect.stringMatching(new RegExp(`/api/v1/uploads/${id}$`)),
      },
    ]);
    expect((await put(id, FILM)).body.data).toMatchObject({ status: 'COMPLETED' });
    const { newMedia, ...playable } = await ended(id);
    expect(newMedia).toBeNull();
    expect(playable).toMatchObject({
      status: 'COMPLETED',
      progress: 1,
      statusReason: null,
      duration: expect.closeTo(FILM_SECONDS, 1),
      transcription: { status: 'completed', segmentsCount: 3 },
    });
    expect(await shaOf(playable.videoUrl)).toBe(sha256(FILM));
    expect((await contentsOf(playable.hlsUrl)).map(([, status]) => status)).not.toContain(404);
    expect((await fetch(playable.thumbnailUrl)).status).toBe(200);
  });

  it.each(['PUT', 'tus'])('is added by %s to a recording that was created without media', async (way) => {
    const { id } = await created(ada, { media: 'none' });
    const body = { language: 'en', segments: [{ start: 0, end: 1, text: 'Sent before the film' }] };
    const headers = { 'content-type': 'application/json' };
    await ada.request('PUT', `/recordings/${id}/transcript`, { body, headers });
    await ada.request('PUT', `/recordings/${id}/summary`, { body: { content: 'Short' }, headers });
    const words = async () => [
      (await ada.get(`/recordings/${id}/transcript`)).body.data,
      (await ada.get(`/recordings/${id}/summary`)).body.data,
    ];
    const before = await words();
    await open(id, { size: FILM.length, transcribe: true });
    expect(await detail(id)).toMatchObject({
      status: 'COMPLETED',
      media: 'none',
      newMedia: { status: 'uploading' },
      capabilities: { canDownload: false },
    });
    expect(await words()).toEqual(before);
    if (way === 'PUT') await put(id, FILM);
    else await new RawTus(ada, id).patch(0, FILM);
    expect(await words()).toEqual(before);
    const done = await ended(id);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      media: 'available',
      newMedia: null,
      capabilities: { canDownload: true, canRegenerateTranscription: true },
    });
    expect(await shaOf(done.videoUrl)).toBe(sha256(FILM));
    expect(await words()).toEqual(before);
    expect(before).toMatchObject([{ revision: 1, status: 'completed' }, { content: 'Short' }]);
  });

  it.each(['ERROR', 'PROCESSING'])('completes a recording without media in %s', async (status) => {
    const id = await imported({ status });
    expect((await open(id)).body.data).toMatchObject({ status, newMedia: { status: 'uploading' } });
    await put(id, FILM);
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', progress: 1, newMedia: null });
  });

  it('replaces media at once when it has been packaged; until then the old media plays, and so do shared links', async () => {
    const old = await film();
    const link = await ada.post(`/recordings/${old.id}/share-link`, { permission: 'view' });
    const shared = async (): Promise<Detail> =>
      (await service.api.get(`/shares/${link.body.data.share_token}`)).body.data.recording;
    await open(old.id, { size: OTHER.length });
    const tus = new RawTus(ada, old.id);
    await tus.patch(0, OTHER.subarray(0, 100_000));
    expect(await tus.offset()).toBe(100_000);
    const during = await detail(old.id);
    expect(during).toMatchObject({ status: 'COMPLETED', progress: 1, duration: old.duration });
    expect(during.newMedia).toEqual({
      status: 'uploading',
      progress: (0.5 * 100_000) / OTHER.length,
      statusReason: null,
    });
    for (const url of [during.videoUrl, (await shared()).videoUrl])
      expect(await shaOf(url)).toBe(sha256(FILM));
    const oldFiles = await contentsOf(during.hlsUrl);

    await tus.patch(100_000, OTHER.subarray(100_000));
    const now = await ended(old.id);
    expect(now).toMatchObject({ status: 'COMPLETED', progress: 1, newMedia: null });
    expect(now.duration).not.toBeCloseTo(FILM_SECONDS, 0);
    for (const url of [now.videoUrl, (await shared()).videoUrl]) expect(await shaOf(url)).toBe(sha256(OTHER));
    expect(now.updatedAt > old.updatedAt).toBe(true);
    const newFiles = await contentsOf(now.hlsUrl);
    expect(newFiles).not.toEqual(oldFiles);

    // Those who were watching still get what they were watching, in full.
    expect(await contentsOf(during.hlsUrl)).toEqual(oldFiles);
    expect(await shaOf(during.videoUrl)).toBe(sha256(FILM));
  });

  it('removes what it replaced when its URLs have expired', async () => {
    const old = await film();
    const before = await ofRecording(old.id);
    const now = await replaced(old.id, OTHER);
    expect((await ofRecording(old.id)).length).toBeGreaterThan(before.length);
    await service.dataSource.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now()
       WHERE payload ->> 'recordingId' = $1 AND task_id = (
         SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'media.remove-retired')`,
      [old.id],
    );
    await eventually(async () => {
      const keys = await ofRecording(old.id);
      expect(keys.filter((key) => before.includes(key))).toEqual([]);
    }, WITHIN_MS);
    expect((await fetch(old.hlsUrl)).status).toBe(404);
    expect((await contentsOf(now.hlsUrl)).map(([, status]) => status)).not.toContain(404);
    expect(await shaOf(now.videoUrl)).toBe(sha256(OTHER));
  });

  it('replaced twice, only the one before stays for its viewers', async () => {
    const first = await film();
    const second = await replaced(first.id, OTHER);
    const third = await replaced(first.id, FILM);
    expect((await contentsOf(second.hlsUrl)).map(([, status]) => status)).not.toContain(404);
    expect((await fetch(first.hlsUrl)).status).toBe(404);
    const version = new URL(first.videoUrl).searchParams.get('version')!;
    await eventually(async () => {
      expect((await ofRecording(first.id)).filter((key) => key.includes(version))).toEqual([]);
    }, WITHIN_MS);
    expect(await shaOf(third.videoUrl)).toBe(sha256(FILM));
  });

  it('that has to be converted is kept as it was uploaded, too', async () => {
    const { id } = await film();
    const source = turned(FILM);
    const { videoUrl } = await replaced(id, source);
    expect(await shaOf(videoUrl)).not.toBe(sha256(source));
    const [row] = await service.dataSource.query(
      'SELECT source_key, package_key, stored_bytes::int FROM recordings WHERE id = $1',
      [id],
    );
    expect(row).toEqual({
      source_key: `${row.package_key}/source`,
      package_key: expect.any(String),
      stored_bytes: source.length,
    });
    expect(await ofRecording(id)).toContain(row.source_key);
  });

  it('that cannot be decoded leaves everything as it was, with the reason', async () => {
    const old = await film();
    const usedBefore = await used();
    const after = await replaced(old.id, UNPLAYABLE);
    expect(after).toMatchObject({ status: 'COMPLETED', statusReason: null, duration: old.duration });
    expect(after.newMedia).toMatchObject({ status: 'failed', statusReason: expect.any(String) });
    expect([await shaOf(after.videoUrl), await used()]).toEqual([sha256(FILM), usedBefore]);
    await eventually(async () => {
      expect((await ofRecording(old.id)).filter((key) => key.includes('/parts/'))).toEqual([]);
    }, WITHIN_MS);
    expect(await replaced(old.id, OTHER)).toMatchObject({ newMedia: null });
  });

  it('that is cancelled leaves everything as it was, even if nobody has written anything', async () => {
    const old = await film();
    const [usedBefore, objects] = [await used(), await ofRecording(old.id)];
    await open(old.id, { size: OTHER.length });
    const tus = new RawTus(ada, old.id);
    await tus.patch(0, OTHER.subarray(0, 50_000));
    expect((await tus.delete()).status).toBe(204);
    expect(await detail(old.id)).toMatchObject({ status: 'COMPLETED', newMedia: null });
    expect([await shaOf(old.videoUrl), await used()]).toEqual([sha256(FILM), usedBefore]);
    await eventually(async () => expect(await ofRecording(old.id)).toEqual(objects), WITHIN_MS);
    expect((await tus.head()).status).toBe(404);
    expect((await open(old.id)).status).toBe(201);
  });

  it('is uploaded once at a time', async () => {
    const { id } = await created(ada);
    const openToo = await open(id);
    expect([openToo.status, openToo.body]).toEqual(refusedWith(ONGOING.replaceAll('{id}', id)));
    const old = await film();
    const replies = await Promise.all([open(old.id), open(old.id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    await put(old.id, OTHER);
    const again = await open(old.id);
    // It may have been published already.
    if (again.status !== 201) {
      const busy = 'The media of this recording is being processed. Try again later.';
      expect([again.status, again.body]).toEqual(refusedWith(busy));
    }
  });

  it('leaves nothing behind when the recording is deleted, whether it is on its way or has arrived', async () => {
    const { id } = await film();
    await replaced(id, OTHER);
    await open(id);
    await new RawTus(ada, id).patch(0, FILM.subarray(0, 20_000));
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    await eventually(async () => expect(await ofRecording(id)).toEqual([]), WITHIN_MS);
    const rows =
      'SELECT FROM uploads WHERE recording_id = $1 UNION ALL SELECT FROM retired_media WHERE recording_id = $1';
    expect(await service.dataSource.query(rows, [id])).toEqual([]);
  });

  const ofRecording = async (id: string): Promise<string[]> =>
    (await service.objects()).filter((key) => key.startsWith(`recordings/${id}/`));
});
