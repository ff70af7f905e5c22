import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Upload as TusUpload } from 'tus-js-client';
import { keyOf, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { idOf, PartialUploads } from '../../support/partial-uploads.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { demoVideo, RawTus } from '../../support/uploads.js';

const video = demoVideo();

let service: TestService;
let ada: Client;
let bob: Client;
let partials: PartialUploads;

beforeAll(async () => {
  service = await startService({ MAX_OPEN_UPLOADS: '5' }, { worker: true });
  await service.import({ users: [user('Ada'), user('Bob')] });
  ada = service.api.as(keyOf('Ada'));
  bob = service.api.as(keyOf('Bob'));
  partials = new PartialUploads(ada);
});
afterAll(() => service.stop());

describe('concatenation', () => {
  it('lets tus-js-client upload a file in parallel, which is packaged and leaves nothing once deleted', async () => {
    const url = await new Promise<string>((resolve, reject) => {
      const upload: TusUpload = new TusUpload(video, {
        endpoint: `${service.api.base}/api/v1/uploads`,
        headers: { authorization: `Bearer ${keyOf('Ada')}` },
        parallelUploads: 3,
        metadata: { title: 'Parallel' },
        retryDelays: null,
        onError: reject,
        onSuccess: () => resolve(String(upload.url)),
      });
      upload.start();
    });
    const path = `/recordings/${idOf(url)}`;
    await eventually(async () => expect((await ada.get(path)).body.data.status).toBe('COMPLETED'));
    const { videoUrl } = (await ada.get(path)).body.data;
    expect(sha256(Buffer.from(await (await fetch(videoUrl)).arrayBuffer()))).toBe(sha256(video));
    expect((await ada.delete(path)).status).toBe(200);
    await eventually(async () => expect(await service.objects()).toEqual([]));
  });

  it('leaves the partial uploads as they were when the final one is refused', async () => {
    const first = await partials.of(video.subarray(0, 20_000));
    const half = await partials.of(video.subarray(20_000), video.subarray(20_000, 30_000));
    expect((await partials.join([first, half])).status).toBe(409);
    expect((await partials.join([first, first])).status).toBe(400);
    expect((await new PartialUploads(bob).join([first])).status).toBe(404);
    const head = await new RawTus(ada, idOf(half)).head();
    expect(head.headers.get('upload-concat')).toBe('partial');
    expect(head.headers.get('upload-offset')).toBe('10000');
    expect((await new RawTus(bob, idOf(first)).head()).status).toBe(404);
    expect((await new RawTus(ada, idOf(half)).patch(10_000, video.subarray(30_000))).status).toBe(204);
    const text = await partials.of(Buffer.from('no media at all'));
    expect((await partials.join([text, first])).status).toBe(415);
    expect((await new RawTus(ada, idOf(text)).delete()).status).toBe(204);
    const id = await partials.joined([first, half]);
    expect((await new RawTus(ada, idOf(first)).head()).status).toBe(404);
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    await eventually(async () => expect(await service.objects()).toEqual([]));
  });
});
