import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { silent } from '../../support/openai-behaviours.js';
import { OpenAiServer } from '../../support/openai-server.js';
import { TranscriptionsRoute } from '../../support/openai-transcriptions.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import {
  at,
  created,
  demoVideo,
  fakeVideo,
  MIB,
  OpenRequest,
  RawTus,
  watchConnections,
} from '../../support/uploads.js';

describe('what is withdrawn in an organization ends at once', () => {
  const route = new TranscriptionsRoute();
  let server: OpenAiServer;
  let service: TestService;
  let other: TestService;
  let acme: { id: string; name: string };
  const [ada, eve] = [user('Ada'), user('Eve')];

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    const settings = { TRANSCRIPTION_URL: server.url, TRANSCRIPTION_MODEL: 'whisper-1' };
    service = await startService(settings, { worker: true });
    watchConnections(service);
    other = await startService(settings, { beside: service });
    await service.import({ users: [ada, eve] });
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
    await server.stop();
  });

  beforeEach(async () => {
    server.reset();
    acme = organization(`Acme ${Math.random()}`, {
      members: [member('Ada', 'OWNER'), member('Eve', 'EDITOR')],
    });
    await service.import({ organizations: [acme] });
  });

  const as = (name: string, process = other): Client => process.api.as(keyOf(name));
  const eveIn = (): string => `/organizations/${acme.id}/members/${eve.id}`;
  const recorded = async (fields: object = {}): Promise<string> => {
    const made = recording('Eve', { organization: acme.name, media: 'call.mp4', ...fields });
    await service.import({ recordings: [made] }, { 'call.mp4': demoVideo() });
    return made.id;
  };
  const detail = async (id: string): Promise<Reply['body']> =>
    (await as('Ada').get(`/recordings/${id}`)).body.data;

  it.each([
    ['removed', () => as('Ada').delete(eveIn()), 404],
    ['demoted', () => as('Ada').patch(eveIn(), { role: 'VIEWER' }), 403],
  ])('a running upload of a member who is %s takes no more bytes', async (_, withdraw, status) => {
    const { id } = await created(as('Eve', service), { organization_id: acme.id, size: 20 * MIB });
    const headers = {
      authorization: `Bearer ${keyOf('Eve')}`,
      ...at(0, { 'content-length': String(20 * MIB) }),
    };
    const upload = new OpenRequest(service, 'PATCH', `/uploads/${id}`, headers);
    const film = fakeVideo(20 * MIB);
    await upload.write(film.subarray(0, 9 * MIB));
    const received = async (): Promise<number> => {
      const [row] = await service.dataSource.query('SELECT received FROM uploads WHERE recording_id = $1', [
        id,
      ]);
      return Number(row?.received);
    };
    await eventually(async () => expect(await received()).toBe(8 * MIB));
    expect((await withdraw()).status).toBe(200);
    void upload.write(film.subarray(9 * MIB, 18 * MIB)).catch(() => undefined);
    const refused = await upload.reply;
    expect(refused.status).toBe(status);
    expect(await received()).toBe(8 * MIB);
    expect((await new RawTus(as('Eve'), id).head()).status).toBe(status);
  });

  it('media URLs and share links of a removed member stop working', async () => {
    const id = await recorded();
    const { videoUrl } = (await as('Eve').get(`/recordings/${id}`)).body.data;
    const { share_token: token } = (await as('Eve').post(`/recordings/${id}/share-link`, {})).body.data;
    const play = async (): Promise<number> => (await fetch(videoUrl)).status;
    expect([await play(), (await other.api.get(`/shares/${token}`)).status]).toEqual([200, 200]);
    await as('Ada', service).delete(eveIn());
    expect([await play(), (await other.api.get(`/shares/${token}`)).status]).toEqual([403, 404]);
  });

  it('a transcription under way ends when it is turned off', async () => {
    const id = await recorded();
    server.always(silent);
    expect((await as('Eve').post(`/recordings/${id}/transcription`)).status).toBe(202);
    await eventually(async () => expect(server.requests.length).toBeGreaterThan(0), 20_000);
    const off = { features: { transcription: false } };
    expect((await as('Ada').patch(`/organizations/${acme.id}`, off)).status).toBe(200);
    await eventually(async () => {
      const rows = await service.dataSource.query(
        'SELECT status, status_reason FROM transcripts WHERE recording_id = $1',
        [id],
      );
      expect(rows).toEqual([
        {
          status: 'failed',
          status_reason:
            'Ended because neither the member who requested it nor the owner of the recording is allowed to do this any more.',
        },
      ]);
    }, 20_000);
  });

  it('that of a removed member goes on for the new owner of the recording', async () => {
    const id = await recorded();
    let proceed: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (proceed = resolve));
    server.always(async (response, usual) => {
      await waiting;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(usual));
    });
    expect((await as('Eve').post(`/recordings/${id}/transcription`)).status).toBe(202);
    await eventually(async () => expect(server.requests.length).toBeGreaterThan(0), 20_000);
    await as('Ada').delete(eveIn());
    proceed();
    await eventually(async () => expect((await detail(id)).transcription.status).toBe('completed'), 20_000);
  });
});
