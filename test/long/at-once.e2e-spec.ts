import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import type { Client, Reply } from '../support/client.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { at, created, fakeVideo, MIB, OpenRequest, RawTus, watchConnections } from '../support/uploads.js';

describe('what is withdrawn in an organization ends at once', () => {
  let service: TestService;
  let other: TestService;
  let acme: { id: string; name: string };
  const [ada, eve] = [user('Ada'), user('Eve')];
  const film = fakeVideo(17 * MIB);
  const beta = organization('Beta', { members: [member('Ada', 'OWNER'), member('Eve', 'VIEWER')] });

  beforeAll(async () => {
    service = await startService();
    watchConnections(service);
    other = await startService({}, { beside: service });
    await service.import({ users: [ada, eve], organizations: [beta] });
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });

  beforeEach(async () => {
    acme = organization(`Acme ${Math.random()}`, {
      members: [member('Ada', 'OWNER'), member('Eve', 'EDITOR')],
    });
    await service.import({ organizations: [acme] });
  });

  const as = (name: string, process = other): Client => process.api.as(keyOf(name));
  const eveIn = (): string => `/organizations/${acme.id}/members/${eve.id}`;
  const change = (path: string, body: object): Promise<Reply> => as('Ada').patch(path, body);
  const remove = (): Promise<Reply> => as('Ada').delete(eveIn());
  const demote = (): Promise<Reply> => change(eveIn(), { role: 'VIEWER' });
  const move = (id: string): Promise<Reply> => change(`/recordings/${id}`, { organization_id: beta.id });

  it.each([
    ['the member is removed', remove, 404],
    ['the member is demoted', demote, 403],
    ['the recording is moved to an organization where the member only views', move, 403],
  ])('a running upload takes no more bytes when %s', async (_, withdraw, status) => {
    const { id } = await created(as('Eve', service), { organization_id: acme.id, size: film.length });
    const headers = {
      authorization: `Bearer ${keyOf('Eve')}`,
      ...at(0, { 'content-length': String(film.length) }),
    };
    const upload = new OpenRequest(service, 'PATCH', `/uploads/${id}`, headers);
    await upload.write(film.subarray(0, 9 * MIB));
    const received = async (): Promise<number> => {
      const [row] = await service.dataSource.query('SELECT received FROM uploads WHERE recording_id = $1', [
        id,
      ]);
      return Number(row?.received);
    };
    await eventually(async () => expect(await received()).toBe(8 * MIB));
    expect((await withdraw(id)).status).toBe(200);
    const refused = await upload.end(film.subarray(9 * MIB));
    expect(refused.status).toBe(status);
    expect(await received()).toBe(8 * MIB);
    expect((await new RawTus(as('Eve'), id).head()).status).toBe(status);
  });

  it.each([
    ['lists, media URLs and share links end when the member is removed', remove, [false, 403, 404]],
    // A link depends on the flags of its creator, not on the role (docs/decisions/0023-share-links.md).
    ['all of them go on when the member is demoted, who still sees the recording', demote, [true, 200, 200]],
    [
      'only the share links end when the member may no longer share',
      () => change(eveIn(), { features: { sharing: false } }),
      [true, 200, 404],
    ],
    [
      'only the share links end when the recording is moved to an organization where the member only views',
      move,
      [true, 200, 404],
    ],
  ])('%s', async (_, withdraw, outcome) => {
    const made = recording('Eve', { organization: acme.name, media: 'call.mp4' });
    await service.import({ recordings: [made] }, { 'call.mp4': 'film' });
    const { videoUrl } = (await as('Eve').get(`/recordings/${made.id}`)).body.data;
    const { share_token: token } = (await as('Eve').post(`/recordings/${made.id}/share-link`, {})).body.data;
    const opens = async (): Promise<unknown[]> => {
      const { data: listed } = (await as('Eve').get('/recordings?limit=1')).body;
      return [
        listed.some(({ id }: { id: string }) => id === made.id),
        (await fetch(videoUrl)).status,
        (await other.api.get(`/shares/${token}`)).status,
      ];
    };
    expect(await opens()).toEqual([true, 200, 200]);
    expect((await withdraw(made.id)).status).toBe(200);
    expect(await opens()).toEqual(outcome);
  });
});
