import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RecordingAccessService } from '../../../src/modules/recordings/access/recording-access.service.js';
import { TusService } from '../../../src/modules/uploads/tus/tus.service.js';
import { UploadReceiverService } from '../../../src/modules/uploads/upload-receiver.service.js';
import { UploadsService } from '../../../src/modules/uploads/uploads.service.js';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { eventually, startService, type TestService, waitingForLocks } from '../../support/service.js';
import {
  at,
  created,
  demoVideo,
  fakeVideo,
  OpenRequest,
  RawTus,
  storedSha256,
  watchConnections,
} from '../../support/uploads.js';

const video = demoVideo();
const text = Buffer.alloc(5_000, 'Minutes ');
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
  watchConnections(twin);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await twin.stop();
  await service.stop();
});

const put = (id: string, process = service): OpenRequest =>
  new OpenRequest(process, 'PUT', `/recordings/${id}/media`, KEY);

async function expectTaken(id: string, { status, body }: Reply): Promise<void> {
  expect([status, body.error]).toEqual([200, undefined]);
  await expectWhole(id, video);
}

async function expectWhole(id: string, file: Uint8Array): Promise<void> {
  expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({ status: 'PROCESSING' });
  expect(await storedSha256(service, id)).toBe(sha256(file));
}

function expectSuperseded({ status, body }: Reply): void {
  expect(body).toEqual(
    refusal('CONFLICT', 'This request was superseded by a later one for the same upload.'),
  );
  expect(status).toBe(409);
}

/** Resolves when the upload has been restarted. */
const restarted = (id: string): Promise<void> =>
  eventually(async () => {
    const [row]: object[] = await service.dataSource.query(
      'SELECT generation FROM uploads WHERE recording_id = $1',
      [id],
    );
    expect(row).toEqual({ generation: 1 });
  });

/** Blocks all changes to the recording; returns a function that unlocks it. */
async function lock(id: string): Promise<() => Promise<void>> {
  const runner = service.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT FROM recordings WHERE id = $1 FOR UPDATE', [id]);
  return async () => {
    await runner.rollbackTransaction();
    await runner.release();
  };
}

/** A point where a request is held up: `reached` resolves when it gets there, `open` lets it continue. */
interface Gate {
  readonly reached: Promise<void>;
  readonly open: () => void;
  readonly pass: () => Promise<void>;
}

function gate(): Gate {
  let [reach, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const free = new Promise<void>((resolve) => (open = resolve));
  return {
    reached,
    open,
    pass: () => {
      reach();
      return free;
    },
  };
}

/** Holds up the next request before its access check. */
function holdUpAccess(): Gate {
  const held = gate();
  const access = service.app.get(RecordingAccessService);
  const change = access.requireEdit.bind(access);
  jest.spyOn(access, 'requireEdit').mockImplementationOnce(async (...args) => {
    await held.pass();
    return change(...args);
  });
  return held;
}

/** Holds up the next request before its claim. */
function holdUpClaim(): Gate {
  const held = gate();
  const uploads = service.app.get(UploadsService);
  const claim = uploads.claim.bind(uploads);
  jest.spyOn(uploads, 'claim').mockImplementationOnce(async () => {
    await held.pass();
    return claim();
  });
  return held;
}

/** Starts watching; the returned function resolves when the service has finished with one whole file. */
function watchFiles(): () => Promise<void> {
  const { mock } = jest.spyOn(service.app.get(UploadReceiverService), 'receiveWhole');
  return () => oneEnds(() => mock.results.map(({ value }) => value as Promise<void>));
}

/** The same for a tus request. */
function watchTus(): () => Promise<void> {
  const { mock } = jest.spyOn(service.app.get(TusService), 'handle');
  return () => oneEnds(() => mock.results.map(({ value }) => value as Promise<void>));
}

const oneEnds = (running: () => Promise<void>[]): Promise<void> =>
  eventually(async () => {
    expect(await Promise.all(running().map(hasEnded))).toContain(true);
  });

const hasEnded = (work: Promise<void>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);

describe.each([
  ['the same process', () => service],
  ['another process', () => twin],
])('a PUT repeated to %s after its connection was lost', (_, process) => {
  it('is accepted although the lost one restarts the upload first', async () => {
    const { id } = await created(ada, { size: video.length });
    const unlock = await lock(id);
    const lost = put(id);
    await lost.write(fakeVideo(30_000));
    await waitingForLocks(service, 1);
    lost.destroy();
    const again = put(id, process()).end(video);
    await waitingForLocks(service, 2);
    await unlock();
    await expectTaken(id, await again);
  });

  it('is accepted although the first one is delayed and seems to be alive', async () => {
    const { id } = await created(ada, { size: video.length });
    const { reached, open } = holdUpAccess();
    const first = put(id);
    await first.write(fakeVideo(30_000));
    await reached;
    const again = put(id, process());
    await again.write(video.subarray(0, 30_000));
    await restarted(id);
    open();
    expectSuperseded(await first.end());
    await expectTaken(id, await again.end(video.subarray(30_000)));
  });

  it('is accepted although the lost one is delayed and takes its turn after it', async () => {
    const { id } = await created(ada, { size: video.length });
    const { reached, open } = holdUpClaim();
    const ended = watchFiles();
    const lost = put(id);
    await lost.write(fakeVideo(30_000));
    await reached;
    await lost.lose();
    const again = put(id, process());
    await again.write(video.subarray(0, 30_000));
    await restarted(id);
    open();
    await ended();
    await expectTaken(id, await again.end(video.subarray(30_000)));
  });
});

describe('a PUT whose connection is lost', () => {
  it('keeps what was received before, if it has not yet restarted the upload', async () => {
    const { id } = await created(ada, { size: video.length });
    const tus = new RawTus(ada, id);
    await tus.patch(0, video.subarray(0, 20_000));
    const unlock = await lock(id);
    const ended = watchFiles();
    const lost = put(id);
    await lost.write(fakeVideo(30_000));
    await waitingForLocks(service, 1);
    await lost.lose();
    await unlock();
    await ended();
    expect(await tus.offset()).toBe(20_000);
    expect((await tus.patch(20_000, video.subarray(20_000))).status).toBe(204);
    await expectWhole(id, video);
  });

  it('keeps what its client has sent through tus since, although it seems to be alive', async () => {
    const { id } = await created(ada, { size: video.length });
    const tus = new RawTus(ada, id);
    const { reached, open } = holdUpAccess();
    const first = put(id);
    await first.write(fakeVideo(30_000));
    await reached;
    expect((await tus.patch(0, video.subarray(0, 20_000))).status).toBe(204);
    open();
    expectSuperseded(await first.end());
    expect((await tus.patch(20_000, video.subarray(20_000))).status).toBe(204);
    await expectWhole(id, video);
  });

  it('does not end the upload because of its last bytes, if its client has continued through tus', async () => {
    const { id } = await created(ada, { size: video.length });
    const tus = new RawTus(ada, id);
    const ended = watchFiles();
    const lost = put(id);
    // Fewer than those at which it would be refused while it arrives.
    await lost.write(Buffer.from('%PDF-1.7\n'));
    await restarted(id);
    expect((await tus.patch(0, video.subarray(0, 20_000))).status).toBe(204);
    lost.destroy();
    await ended();
    expect((await tus.patch(20_000, video.subarray(20_000))).status).toBe(204);
    await expectWhole(id, video);
  });
});

describe('a delayed PATCH', () => {
  it('adds nothing to the file that a PUT sends, if its connection was lost before it took a turn', async () => {
    const { id } = await created(ada, { size: video.length });
    const { reached, open } = holdUpClaim();
    const ended = watchTus();
    const lost = new OpenRequest(service, 'PATCH', `/uploads/${id}`, at(0, KEY));
    await lost.write(fakeVideo(5_000));
    await reached;
    await lost.lose();
    const again = put(id);
    await again.write(video.subarray(0, 30_000));
    await restarted(id);
    open();
    await ended();
    await expectTaken(id, await again.end(video.subarray(30_000)));
  });

  it.each([
    ['more bytes', fakeVideo(5_000)],
    ['text', text],
  ])('does not add %s to the file that a later PUT sends', async (_, bytes) => {
    const { id } = await created(ada, { size: video.length });
    const { reached, open } = holdUpAccess();
    const patch = new OpenRequest(service, 'PATCH', `/uploads/${id}`, at(0, KEY));
    await patch.write(bytes);
    await reached;
    const again = put(id);
    await again.write(video.subarray(0, 30_000));
    await restarted(id);
    open();
    expectSuperseded(await patch.end());
    await expectTaken(id, await again.end(video.subarray(30_000)));
  });
});
