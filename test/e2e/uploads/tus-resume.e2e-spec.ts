import { PassThrough, type Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Upload as TusUpload, type UploadOptions } from 'tus-js-client';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import {
  at,
  created,
  demoVideo,
  fakeVideo,
  MIB,
  OpenRequest,
  RawTus,
  storedSha256,
  watchConnections,
} from '../../support/uploads.js';

const video = demoVideo();
const KEY = { authorization: `Bearer ${keyOf('Ada')}` };

let service: TestService;
let twin: TestService;
let ada: Client;

beforeAll(async () => {
  service = await startService({ MAX_OPEN_UPLOADS: '200' });
  twin = await startService({ MAX_OPEN_UPLOADS: '200' }, { beside: service });
  await service.import({ users: [user('Ada')] });
  ada = service.api.as(keyOf('Ada'));
  watchConnections(service);
});
afterAll(async () => {
  await twin.stop();
  await service.stop();
});

const detail = async (id: string): Promise<{ status: string; progress: number; title: string }> =>
  (await ada.get(`/recordings/${id}`)).body.data;

async function expectWhole(id: string, file: Uint8Array): Promise<void> {
  expect(await storedSha256(service, id)).toBe(sha256(file));
  expect(await detail(id)).toMatchObject({ status: 'PROCESSING', progress: 0.5 });
}

describe('tus-js-client, unmodified', () => {
  /** Resolves to the URL of the upload when everything has been sent. */
  const send = (file: Buffer | Readable, options: UploadOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      const upload = new TusUpload(file, {
        headers: KEY,
        retryDelays: null,
        onError: reject,
        onSuccess: () => resolve(String(upload.url)),
        ...options,
      });
      upload.start();
    });
  const idOf = (url: string): string => url.split('/').at(-1) ?? '';

  it('sends a file of known length to upload_url, in chunks', async () => {
    const { id, upload_url: uploadUrl } = await created(ada, { size: video.length });
    const progress: number[] = [];
    const onChunkComplete = (size: number): number => progress.push(size);
    await send(video, { uploadUrl, chunkSize: 20_000, onChunkComplete });
    expect(progress).toEqual([20_000, 20_000, 15_076]);
    await expectWhole(id, video);
  });

  it('sends a stream whose length is unknown until it ends', async () => {
    const { id, upload_url: uploadUrl } = await created(ada);
    const meeting = new PassThrough();
    const sent = send(meeting, { uploadUrl, chunkSize: 20_000, uploadLengthDeferred: true });
    meeting.write(video.subarray(0, 30_000));
    await eventually(async () => expect(await new RawTus(ada, id).offset()).toBe(20_000));
    expect(await detail(id)).toMatchObject({ status: 'UPLOADING', progress: 0 });
    meeting.end(video.subarray(30_000));
    await sent;
    await expectWhole(id, video);
  });

  it('creates the recording itself, with a title', async () => {
    const endpoint = `${service.api.base}/api/v1/uploads`;
    const id = idOf(
      await send(video, { endpoint, metadata: { filename: 'sync.mp4', filetype: 'video/mp4' } }),
    );
    expect((await detail(id)).title).toBe('sync.mp4');
    await expectWhole(id, video);
  });

  it('resumes an upload that was aborted midway', async () => {
    const file = fakeVideo(3 * MIB);
    const { id, upload_url: uploadUrl } = await created(ada, { size: file.length });
    await new Promise<void>((resolve, reject) => {
      const first = new TusUpload(file, {
        uploadUrl,
        headers: KEY,
        chunkSize: MIB,
        onError: reject,
        onChunkComplete: () => void first.abort().then(resolve, reject),
      });
      first.start();
    });
    expect((await detail(id)).status).toBe('UPLOADING');
    await send(file, { uploadUrl });
    await expectWhole(id, file);
  });

  it('resumes automatically when its connection breaks', async () => {
    const file = fakeVideo(9 * MIB);
    const { id, upload_url: uploadUrl } = await created(ada, { size: file.length });
    let broken = 0;
    await send(file, {
      uploadUrl,
      retryDelays: [0, 0],
      onProgress: (sent) => {
        if (sent < 2 * MIB || broken++ > 0) return;
        (service.app.getHttpServer() as import('node:http').Server).closeAllConnections();
      },
    });
    expect(broken).toBeGreaterThan(0);
    await expectWhole(id, file);
  });
});

describe('a connection that breaks', () => {
  const open = (id: string, offset: number): OpenRequest =>
    new OpenRequest(service, 'PATCH', `/uploads/${id}`, at(offset, KEY));

  it('keeps and reports what has arrived, and resumes there to the same bytes', async () => {
    const file = fakeVideo(10 * MIB);
    const { id } = await created(ada, { size: file.length });
    const tus = new RawTus(ada, id);
    const request = open(id, 0);
    await request.write(file.subarray(0, 9 * MIB));
    await request.lose();
    await expect(request.reply).rejects.toThrow();
    const kept = await tus.offset();
    expect(kept).toBeGreaterThanOrEqual(8 * MIB);
    expect(kept).toBeLessThanOrEqual(9 * MIB);
    expect(await storedSha256(service, id)).toBe(sha256(file.subarray(0, kept)));
    expect((await tus.patch(kept, file.subarray(kept))).status).toBe(204);
    await expectWhole(id, file);
  });

  it('that only seems open is superseded when the client reconnects', async () => {
    const file = fakeVideo(10 * MIB);
    const { id } = await created(ada, { size: file.length });
    const tus = new RawTus(ada, id);
    const old = open(id, 0);
    await old.write(file.subarray(0, 9 * MIB));
    await eventually(async () => expect(await tus.offset()).toBe(8 * MIB));
    expect((await tus.patch(8 * MIB, file.subarray(8 * MIB))).status).toBe(204);
    const { status, body } = await old.reply;
    expect([status, body]).toEqual([409, refusal('CONFLICT')]);
    await expectWhole(id, file);
    old.destroy();
    await eventually(async () => {
      expect((await service.objects()).filter((key) => key.includes(id))).toHaveLength(2);
    });
  });

  it('is not broken by HEAD, which returns what is durable', async () => {
    const file = fakeVideo(10 * MIB);
    const { id } = await created(ada, { size: file.length });
    const tus = new RawTus(ada, id);
    const request = open(id, 0);
    await request.write(file.subarray(0, 1_000));
    expect(await tus.offset()).toBe(0);
    await request.write(file.subarray(1_000, 9 * MIB));
    await eventually(async () => expect(await tus.offset()).toBe(8 * MIB));
    const { status, headers } = await request.end(file.subarray(9 * MIB));
    expect([status, headers.get('upload-offset')]).toEqual([204, String(file.length)]);
    await expectWhole(id, file);
  });
});

describe('two clients sending at the same offset', () => {
  const HEAD = video.subarray(0, 100);
  const [first, second] = [Buffer.alloc(50_000, 'A'), Buffer.alloc(50_000, 'B')];

  /** Nothing is lost or mixed: a client that got an offset finds its own bytes up to there. */
  async function expectOneWins(id: string, replies: readonly Reply[]): Promise<void> {
    const taken = replies.map(({ status, headers }) =>
      status === 204 ? Number(headers.get('upload-offset')) - 100 : 0,
    );
    expect(taken.filter((bytes) => bytes > 0)).toHaveLength(1);
    for (const { status, body } of replies) {
      if (status !== 204) expect([status, body]).toEqual([409, refusal('CONFLICT')]);
    }
    const [byFirst = 0, bySecond = 0] = taken;
    const expected = Buffer.concat([HEAD, first.subarray(0, byFirst), second.subarray(0, bySecond)]);
    expect(await new RawTus(ada, id).offset()).toBe(expected.length);
    expect(await storedSha256(service, id)).toBe(sha256(expected));
  }

  it.each(['one service', 'two services'])('through %s: one wins, bytes intact', async (which) => {
    for (let round = 0; round < 3; round++) {
      const { id } = await created(ada, { size: 50_100 });
      await new RawTus(ada, id).patch(0, HEAD);
      const other = which === 'one service' ? ada : twin.api.as(keyOf('Ada'));
      const replies = await Promise.all([
        new RawTus(ada, id).patch(100, first),
        new RawTus(other, id).patch(100, second),
      ]);
      await expectOneWins(id, replies);
    }
  });

  it('leaves behind no object of the losing client', async () => {
    const { id } = await created(ada, { size: 50_100 });
    await Promise.all([
      new RawTus(ada, id).patch(0, Buffer.concat([HEAD, first])),
      new RawTus(twin.api.as(keyOf('Ada')), id).patch(0, Buffer.concat([HEAD, second])),
    ]);
    await eventually(async () => {
      const keys = (await service.objects()).filter((key) => key.includes(id));
      expect(keys).toHaveLength(1);
    });
    expect((await detail(id)).status).toBe('PROCESSING');
  });

  it('lets one service continue where another one stopped', async () => {
    const { id } = await created(ada, { size: video.length });
    await new RawTus(ada, id).patch(0, video.subarray(0, 10_000));
    const there = new RawTus(twin.api.as(keyOf('Ada')), id);
    expect(await there.offset()).toBe(10_000);
    expect((await there.patch(10_000, video.subarray(10_000))).status).toBe(204);
    await expectWhole(id, video);
  });
});
