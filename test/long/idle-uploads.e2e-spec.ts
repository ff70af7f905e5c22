import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { refusal, type Client } from '../support/client.js';
import { eventually, startService, type TestService } from '../support/service.js';
import {
  at,
  created,
  demoVideo,
  fakeVideo,
  OpenRequest,
  RawTus,
  watchConnections,
} from '../support/uploads.js';

/** Longer than a busy machine may hold up an upload that continues. */
const IDLE_SECONDS = '3';
/** Between two pieces of an upload that continues. */
const PAUSE_MS = 300;
const video = demoVideo();

describe('an idle upload', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({ UPLOAD_IDLE_TIMEOUT: IDLE_SECONDS }, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    watchConnections(service);
  });
  afterAll(() => service.stop());

  const detail = async (id: string): Promise<object> => (await ada.get(`/recordings/${id}`)).body.data;
  /** Whether it is at an end, and nothing is being uploaded; asked of the database, which is cheaper than a request. */
  async function isDone(id: string): Promise<boolean> {
    const [{ done }] = await service.dataSource.query<[{ done: boolean }]>(
      `SELECT r.status IN ('COMPLETED', 'ERROR')
         AND NOT EXISTS (SELECT FROM uploads u WHERE u.recording_id = r.id AND u.closed_at IS NULL) AS done
       FROM recordings r WHERE id = $1`,
      [id],
    );
    return done;
  }
  async function soon(id: string, expected: object): Promise<void> {
    await eventually(async () => expect(await isDone(id)).toBe(true));
    await eventually(async () => expect(await detail(id)).toMatchObject(expected));
  }
  /** That the upload is complete; what becomes of it does not matter. */
  async function expectTaken(id: string): Promise<void> {
    const status = expect.stringMatching(/^(PROCESSING|MIGRATING|COMPLETED)$/);
    expect(await detail(id)).toMatchObject({ status, statusReason: null });
    await ada.delete(`/recordings/${id}`);
  }
  /** Sends 100 bytes again and again, until the worker has closed an upload that began later. */
  async function sendMeanwhile(
    idle: string,
    send: (piece: Uint8Array, from: number) => Promise<unknown>,
  ): Promise<number> {
    for (let sent = 0; ; sent += 100) {
      if (await isDone(idle)) return sent;
      await send(video.subarray(sent, sent + 100), sent);
      await setTimeout(PAUSE_MS);
    }
  }

  it.concurrent('becomes ERROR if nothing arrived, and accepts nothing more', async () => {
    const { id } = await created(ada, { size: video.length });
    await soon(id, { status: 'ERROR', statusReason: 'No data was uploaded in time.' });
    const { status, body } = await new RawTus(ada, id).patch(0, video);
    expect(status).toBe(404);
    expect(body).toEqual(
      refusal(
        'NOT_FOUND',
        `This recording has no open upload. Open one with POST /api/v1/recordings/${id}/upload.`,
      ),
    );
  });

  it.concurrent(
    'is processed as is if its bytes are playable, although its length was never declared',
    async () => {
      const { id } = await created(ada);
      await ada.patch(`/recordings/${id}`, { status: 'RECORDING' });
      await new RawTus(ada, id).patch(0, video);
      expect(await detail(id)).toMatchObject({ status: 'RECORDING' });
      await soon(id, { status: 'COMPLETED', statusReason: null, progress: 1 });
      expect((await new RawTus(ada, id).head()).status).toBe(404);
    },
  );

  it.concurrent('becomes ERROR with the reason if its bytes only look like a video', async () => {
    const { id } = await created(ada, { size: 50_000 });
    await new RawTus(ada, id).patch(0, fakeVideo(40_000));
    await soon(id, { status: 'ERROR', statusReason: expect.stringMatching(/.{10,}/) });
  });

  it.concurrent(
    'of new media that never arrived leaves the recording as it was, with the reason',
    async () => {
      const existing = recording('Ada');
      await service.import({ recordings: [existing] });
      expect((await ada.post(`/recordings/${existing.id}/upload`)).status).toBe(201);
      const statusReason = 'No data was uploaded in time.';
      await soon(existing.id, {
        status: 'COMPLETED',
        newMedia: { status: 'failed', progress: 0, statusReason },
      });
    },
  );

  it.concurrent('does not include an upload that continues, which stays open', async () => {
    const { id } = await created(ada, { size: video.length });
    const tus = new RawTus(ada, id);
    const idle = await created(ada);
    const offset = await sendMeanwhile(idle.id, (piece, from) => tus.patch(from, piece));
    expect(await detail(idle.id)).toMatchObject({ status: 'ERROR' });
    expect(await detail(id)).toMatchObject({ status: 'UPLOADING' });
    expect((await tus.patch(offset, video.subarray(offset))).status).toBe(204);
    await expectTaken(id);
  });

  it.concurrent('does not include a meeting whose bytes arrive slowly in one long request', async () => {
    const { id } = await created(ada);
    const idle = await created(ada);
    const headers = at(0, { authorization: `Bearer ${keyOf('Ada')}`, 'upload-length': '55076' });
    const request = new OpenRequest(service, 'PATCH', `/uploads/${id}`, headers);
    const sent = await sendMeanwhile(idle.id, (piece) => request.write(piece));
    expect(await detail(idle.id)).toMatchObject({ status: 'ERROR' });
    expect((await request.end(video.subarray(sent))).status).toBe(204);
    await expectTaken(id);
  });
});
