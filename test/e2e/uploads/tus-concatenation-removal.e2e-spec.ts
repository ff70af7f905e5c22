import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { commandLine } from '../../support/command-line.js';
import { idOf, PartialUploads } from '../../support/partial-uploads.js';
import { eventually, startService, type TestService, type WorkerProcess } from '../../support/service.js';
import {
  at,
  demoVideo,
  fakeVideo,
  MIB,
  OpenRequest,
  RawTus,
  watchConnections,
} from '../../support/uploads.js';

const SOON = 15_000;
const video = demoVideo();
const TABLES = ['partial_uploads', 'partial_upload_parts', 'recordings', 'uploads', 'upload_parts'];

describe('what belongs to partial and final uploads', () => {
  let service: TestService;
  let worker: WorkerProcess | undefined;
  let name: string;
  let ada: Client;
  let partials: PartialUploads;
  let users = 0;

  beforeAll(async () => {
    service = await startService();
    watchConnections(service);
  });
  beforeEach(async () => {
    // Until a test starts one, nothing is packaged and no object removed.
    await worker?.kill('SIGKILL');
    worker = undefined;
    name = `Ada${++users}`;
    await service.import({ users: [user(name)] });
    ada = service.api.as(keyOf(name));
    partials = new PartialUploads(ada);
  });
  afterAll(() => service.stop());

  const tablesWithRows = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const table of TABLES) {
      if ((await service.dataSource.query(`SELECT FROM ${table} LIMIT 1`)).length > 0) found.push(table);
    }
    return found;
  };
  const expectNothingLeft = async (): Promise<void> => {
    expect(await tablesWithRows()).toEqual([]);
    worker ??= await service.startWorker();
    await eventually(async () => expect(await service.objects()).toEqual([]), SOON);
  };
  const pieces = async (bytes: Buffer = video): Promise<string[]> => [
    await partials.of(bytes.subarray(0, 20_000)),
    await partials.of(bytes.subarray(20_000)),
  ];
  const deleteUser = async (deleted: string): Promise<void> => {
    const settings = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir };
    const { status, stderr } = await commandLine(settings, 'users', 'delete', '--email', emailOf(deleted));
    expect([status, stderr]).toEqual([0, '']);
  };

  it('is removed with the recording before it was packaged', async () => {
    const id = await partials.joined(await pieces());
    expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('PROCESSING');
    expect(await service.objects()).toHaveLength(2);
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    expect((await new RawTus(ada, id).head()).status).toBe(404);
    expect((await ada.get('/me')).body.data.quotas.stored_bytes.used).toBe(0);
    await expectNothingLeft();
  });

  it('is removed with the recording whose media cannot be packaged', async () => {
    const id = await partials.joined(await pieces(fakeVideo(40_000)));
    worker = await service.startWorker();
    await eventually(async () => {
      expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('ERROR');
    }, SOON);
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    await expectNothingLeft();
  });

  it('is removed by DELETE of a partial upload, even while its bytes are arriving', async () => {
    const url = await partials.of(fakeVideo(20 * MIB), new Uint8Array());
    const headers = { ...at(0), authorization: `Bearer ${keyOf(name)}` };
    const request = new OpenRequest(service, 'PATCH', `/uploads/${idOf(url)}`, headers);
    await request.write(fakeVideo(10 * MIB));
    await eventually(async () => expect(await service.objects()).toHaveLength(1));
    const tus = new RawTus(ada, idOf(url));
    expect((await tus.delete()).status).toBe(204);
    expect((await tus.head()).status).toBe(404);
    // What it gets depends on how far it was; it may also be cut off.
    await request.end(fakeVideo(10 * MIB)).catch(() => undefined);
    await expectNothingLeft();
  });

  it('is removed with the user, and that of others is not', async () => {
    await service.import({ users: [user('Bob')] });
    const bob = service.api.as(keyOf('Bob'));
    const bobs = await new PartialUploads(bob).of(video);
    const others = await service.objects();
    await pieces();
    const unfinished = await partials.of(video, video.subarray(0, 10_000));
    await partials.joined(await pieces());
    expect(await service.objects()).toHaveLength(others.length + 5);
    await deleteUser(name);
    expect((await new RawTus(ada, idOf(unfinished)).patch(10_000, video.subarray(10_000))).status).toBe(401);
    expect((await partials.join([unfinished])).status).toBe(401);
    worker = await service.startWorker();
    await eventually(async () => expect(await service.objects()).toEqual(others), SOON);
    expect((await new RawTus(bob, idOf(bobs)).head()).headers.get('upload-offset')).toBe(
      String(video.length),
    );
    await deleteUser('Bob');
    await expectNothingLeft();
  });

  it('is removed with the user even while bytes are arriving', async () => {
    const url = await partials.of(fakeVideo(20 * MIB), new Uint8Array());
    const headers = { ...at(0), authorization: `Bearer ${keyOf(name)}` };
    const request = new OpenRequest(service, 'PATCH', `/uploads/${idOf(url)}`, headers);
    await request.write(fakeVideo(10 * MIB));
    await eventually(async () => expect(await service.objects()).toHaveLength(1));
    await deleteUser(name);
    expect((await request.end(fakeVideo(10 * MIB))).status).toBe(404);
    await expectNothingLeft();
  });
});
