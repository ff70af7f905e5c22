import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { PackagingService } from '../../src/modules/pipeline/packaging/packaging.service.js';
import { DiskObjectStore } from '../../src/platform/storage/disk.object-store.js';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { expectSource, uploadHeld, WEBM } from '../support/conversions.js';
import { sha256 } from '../support/objects.js';
import { readHls, settled, upload, type Detail } from '../support/packaged.js';
import { LINUX } from '../support/requirements.js';
import { eventually, startService, WITH_TRANSCRIBER, type TestService } from '../support/service.js';

const SECONDS = 8.27;

const head = (url: string): Promise<Response> => fetch(url, { method: 'HEAD' });

LINUX.describe('an upload that browsers play before it is converted', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService(WITH_TRANSCRIBER, { worker: true });
    ada = service.api.as(keyOf('Ada'));
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const detailOf = async (id: string): Promise<Detail> => (await ada.get(`/recordings/${id}`)).body.data;
  const keysOf = async (id: string): Promise<string[]> =>
    (await service.objects()).filter((key) => key.startsWith(`recordings/${id}/`));

  it('plays, seeks and downloads as it was uploaded, and has neither HLS nor a thumbnail yet', async () => {
    const { id, detail, signal } = await uploadHeld(ada, { title: 'Frog' });
    expect(detail).toMatchObject({
      status: 'MIGRATING',
      statusReason: null,
      hlsUrl: null,
      thumbnailUrl: null,
      duration: expect.closeTo(SECONDS, 1),
      capabilities: { canDownload: true, canShare: true },
    });
    expect(detail.progress).toBeGreaterThanOrEqual(0.5);
    expect(detail.progress).toBeLessThan(0.95);
    await expectSource(detail.videoUrl);
    const saved = await fetch(detail.downloadUrl);
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="Frog.webm"');
    expect(sha256(new Uint8Array(await saved.arrayBuffer()))).toBe(sha256(WEBM));

    const { share_token: token } = (await ada.post(`/recordings/${id}/share-link`, {})).body.data;
    const shared = (await service.api.get(`/shares/${token}`)).body.data.recording;
    expect(shared).toMatchObject({ status: 'MIGRATING', hlsUrl: null, thumbnailUrl: null });
    await expectSource(shared.videoUrl);
    signal('SIGCONT');
    await settled(ada, id);
  });

  it('is converted meanwhile: its URLs deliver the same bytes as before, and new ones the MP4 and HLS', async () => {
    const { id, detail: before, signal } = await uploadHeld(ada);
    const progress: number[] = [before.progress];
    signal('SIGCONT');
    const after = await settled(ada, id, { onLook: (seen) => void progress.push(seen.progress) });
    expect(after).toMatchObject({ status: 'COMPLETED', statusReason: null, progress: 1 });
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    await expectSource(before.videoUrl);
    const saved = await fetch(before.downloadUrl);
    expect(saved.headers.get('content-disposition')).toMatch(/\.webm"$/);
    expect(sha256(new Uint8Array(await saved.arrayBuffer()))).toBe(sha256(WEBM));

    expect((await head(after.videoUrl)).headers.get('content-type')).toBe('video/mp4');
    for (const altered of [before.videoUrl.replace('file=source&', ''), `${after.videoUrl}&file=source`])
      expect((await head(altered)).status).toBe(403);
    const files = await readHls(after.hlsUrl);
    expect(files.map(({ status }) => status)).toEqual(files.map(() => 200));
    expect((await head(after.thumbnailUrl)).status).toBe(200);
    await eventually(async () => {
      const left = (await keysOf(id)).map((key) => key.split('/').slice(3).join('/'));
      expect(left.filter((name) => !name.startsWith('hls/'))).toEqual([
        'source',
        'thumbnail.jpg',
        'video.mp4',
      ]);
    });
  });

  it('that cannot be converted remains playable, complete and with the reason; a retry converts it', async () => {
    const { id, detail: before, signal } = await uploadHeld(ada);
    // As when a damaged file sends the decoder into an endless loop.
    signal('SIGALRM');
    signal('SIGCONT');
    const failed = await settled(ada, id);
    expect(failed).toMatchObject({
      status: 'COMPLETED',
      statusReason:
        'The recording plays only as it was uploaded, because it could not be converted: The file is damaged: reading it never finishes.',
      progress: 1,
      hlsUrl: null,
      thumbnailUrl: null,
    });
    await expectSource(before.videoUrl);
    await expectSource(failed.videoUrl);
    const sources = await keysOf(id);
    expect(sources.map((key) => key.split('/').at(-1))).toEqual(['source']);

    await service.app.get(PackagingService).retry(id);
    await eventually(async () => expect((await detailOf(id)).hlsUrl).not.toBeNull());
    expect(await detailOf(id)).toMatchObject({ status: 'COMPLETED', statusReason: null, progress: 1 });
    await expectSource(before.videoUrl);
    await expectSource(failed.videoUrl);
    expect(await keysOf(id)).toEqual(expect.arrayContaining(sources));
    await expect(service.app.get(PackagingService).retry(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('deleted meanwhile, it is gone with everything that was stored', async () => {
    const { id, detail, signal } = await uploadHeld(ada);
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    expect((await head(detail.videoUrl)).status).toBe(403);
    signal('SIGCONT');
    await eventually(async () => expect(await keysOf(id)).toEqual([]));
  });

  it('never waits for the conversion of another one, nor does what only has to be copied', async () => {
    // Half of the slots are all that one user gets.
    const held = await uploadHeld(ada);
    const id = await upload(ada, WEBM);
    const copied = await upload(ada, readFileSync('demo/media/customer-call.mp4'));
    await eventually(async () => expect((await detailOf(id)).status).toBe('MIGRATING'));
    expect((await settled(ada, copied)).hlsUrl).not.toBeNull();
    await expectSource((await detailOf(id)).videoUrl);
    expect((await detailOf(held.id)).status).toBe('MIGRATING');
    held.signal('SIGCONT');
    for (const waiting of [held.id, id]) expect((await settled(ada, waiting)).hlsUrl).not.toBeNull();
  });

  it('is playable once it is converted if its source could not be stored before', async () => {
    const put = DiskObjectStore.prototype.putFile;
    let failures = 0;
    jest.spyOn(DiskObjectStore.prototype, 'putFile').mockImplementation(async function (
      this: DiskObjectStore,
      key,
      path,
    ) {
      if (key.endsWith('/source') && failures++ < 2) throw new Error('The disk is full');
      await put.call(this, key, path);
    });
    const id = await upload(ada, WEBM);
    const seen: Detail[] = [];
    const completed = await settled(ada, id, { onLook: (detail) => void seen.push(detail) });
    expect([completed.status, completed.statusReason]).toEqual(['COMPLETED', null]);
    expect(failures).toBe(3);
    for (const { videoUrl, hlsUrl } of seen) expect(videoUrl === null).toBe(hlsUrl === null);
    expect((await keysOf(id)).some((key) => key.endsWith('/source'))).toBe(true);
  });
});
