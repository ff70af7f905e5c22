import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { refusal, type Client, type Reply } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';
import { at, created, demoVideo, TUS } from '../support/uploads.js';

const video = demoVideo();
const SEES_ALL = { viewAllRecordings: true };
const HIDDEN = refusal('RECORDING_NOT_FOUND', 'Recording not found.');
const SEEN = refusal('FORBIDDEN', 'You can view this recording but not change it.');

describe('access to uploads', () => {
  let service: TestService;
  const acme = organization('Acme', {
    members: [
      member('Olga', 'OWNER'),
      member('Adam', 'ADMIN'),
      member('Edith', 'EDITOR'),
      member('Edgar', 'EDITOR', SEES_ALL),
      member('Emil', 'EDITOR'),
      member('Vera', 'VIEWER', SEES_ALL),
      member('Viktor', 'VIEWER'),
    ],
  });

  beforeAll(async () => {
    service = await startService({ MAX_OPEN_UPLOADS: '500' });
    const names = ['Ada', 'Olga', 'Adam', 'Edith', 'Edgar', 'Emil', 'Vera', 'Viktor', 'Stranger'];
    await service.import({ users: names.map((name) => user(name)), organizations: [acme] });
  });
  afterAll(() => service.stop());

  const as = (name: string): Client => service.api.as(keyOf(name));
  const personal = (): Promise<{ id: string }> => created(as('Ada'), { size: video.length });
  const ediths = (): Promise<{ id: string }> =>
    created(as('Edith'), { size: video.length, organization_id: acme.id });

  const bytes = video.subarray(0, 100);
  const requests = {
    HEAD: (api: Client, upload: string) => api.request('HEAD', `/uploads/${upload}`, { headers: TUS }),
    PATCH: (api: Client, upload: string) =>
      api.request('PATCH', `/uploads/${upload}`, { headers: at(0), body: bytes }),
    DELETE: (api: Client, upload: string) => api.delete(`/uploads/${upload}`, { headers: TUS }),
    PUT: (api: Client, upload: string) => api.request('PUT', `/recordings/${upload}/media`, { body: video }),
  } as const;
  const METHODS = ['HEAD', 'PATCH', 'DELETE', 'PUT'] as const;
  const ALLOWED = { HEAD: 200, PATCH: 204, DELETE: 204, PUT: 200 };

  async function expectUntouched(recordingId: string): Promise<void> {
    const rows: unknown = await service.dataSource.query(
      `SELECT r.status, u.received::int, u.closed_at FROM recordings r JOIN uploads u ON u.recording_id = r.id
       WHERE r.id = $1`,
      [recordingId],
    );
    expect(rows).toEqual([{ status: 'UPLOADING', received: 0, closed_at: null }]);
  }

  describe.each(METHODS)('%s', (method) => {
    it.each([
      ['the owner of a personal recording', 'Ada', personal],
      ['the EDITOR who created it', 'Edith', ediths],
      ["an OWNER, of an EDITOR's", 'Olga', ediths],
      ["an ADMIN, of an EDITOR's", 'Adam', ediths],
    ])('is allowed for %s', async (_, name, make) => {
      const { id: recordingId } = await make();
      expect((await requests[method](as(name), recordingId)).status).toBe(ALLOWED[method]);
    });

    it.each([
      ['another EDITOR who sees it', 'Edgar', ediths, 403, SEEN],
      ['a VIEWER who sees it', 'Vera', ediths, 403, SEEN],
      ['another EDITOR', 'Emil', ediths, 404, HIDDEN],
      ['a VIEWER', 'Viktor', ediths, 404, HIDDEN],
      ['a non-member', 'Stranger', ediths, 404, HIDDEN],
      ["a stranger to another's personal recording", 'Stranger', personal, 404, HIDDEN],
      ["an OWNER of an organization, of a member's personal recording", 'Olga', personal, 404, HIDDEN],
    ])('is refused for %s, and changes nothing', async (_, name, make, status, expected) => {
      const { id: recordingId } = await make();
      const reply = await requests[method](as(name), recordingId);
      expect(reply.status).toBe(status);
      expect(reply.body).toEqual(method === 'HEAD' ? '' : expected);
      await expectUntouched(recordingId);
    });

    it('replies the same for a hidden upload as for a missing one, byte for byte', async () => {
      const { id: hidden } = await ediths();
      const [of, ofNothing] = [
        await requests[method](as('Stranger'), hidden),
        await requests[method](as('Stranger'), id()),
      ];
      expect([of.status, of.body]).toEqual([ofNothing.status, ofNothing.body]);
      const shape = ({ headers }: Reply): string[] =>
        [...headers.keys()].filter((name) => name !== 'connection' && name !== 'keep-alive');
      expect(shape(of)).toEqual(shape(ofNothing));
    });

    it('is refused for former members, including the creator', async () => {
      await service.import({ users: [user(`Left${method}`)] });
      const leaving = user(`Left${method}`);
      const add = `INSERT INTO organization_members (organization_id, user_id, role)
        SELECT $1, id, 'EDITOR' FROM users WHERE email = $2`;
      await service.dataSource.query(add, [acme.id, leaving.email]);
      const own = await created(as(`Left${method}`), { size: video.length, organization_id: acme.id });
      await service.dataSource.query(
        'DELETE FROM organization_members m USING users u WHERE u.id = m.user_id AND u.email = $1',
        [leaving.email],
      );
      expect((await requests[method](as(`Left${method}`), own.id)).status).toBe(404);
      await expectUntouched(own.id);
    });

    it.each([
      ['no key', undefined, 'UNAUTHORIZED'],
      ['an unknown key', 'mrs_unknownunknownunknownunknown', 'INVALID_API_KEY'],
    ])('requires a key: %s', async (_, key, code) => {
      const { id: recordingId } = await personal();
      const api = key === undefined ? service.api : service.api.as(key);
      const { status, headers, body } = await requests[method](api, recordingId);
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect(body).toEqual(method === 'HEAD' ? '' : refusal(code));
      await expectUntouched(recordingId);
    });
  });

  describe('opening one for new media', () => {
    const importedEdiths = async (): Promise<string> => importedBy('Edith', { organization: 'Acme' });
    const importedPersonal = async (): Promise<string> => importedBy('Ada');
    async function importedBy(name: string, fields: object = {}): Promise<string> {
      const made = recording(name, fields);
      await service.import({ recordings: [made] });
      return made.id;
    }
    const open = (api: Client, recordingId: string) => api.post(`/recordings/${recordingId}/upload`, {});
    const uploadsOf = (recordingId: string): Promise<unknown[]> =>
      service.dataSource.query('SELECT FROM uploads WHERE recording_id = $1', [recordingId]);

    it.each([
      ['the owner of a personal recording', 'Ada', importedPersonal],
      ['the EDITOR who created it', 'Edith', importedEdiths],
      ["an OWNER, of an EDITOR's", 'Olga', importedEdiths],
      ["an ADMIN, of an EDITOR's", 'Adam', importedEdiths],
    ])('is allowed for %s', async (_, name, make) => {
      expect((await open(as(name), await make())).status).toBe(201);
    });

    it.each([
      ['another EDITOR who sees it', 'Edgar', importedEdiths, 403, SEEN],
      ['a VIEWER who sees it', 'Vera', importedEdiths, 403, SEEN],
      ['another EDITOR', 'Emil', importedEdiths, 404, HIDDEN],
      ['a VIEWER', 'Viktor', importedEdiths, 404, HIDDEN],
      ['a non-member', 'Stranger', importedEdiths, 404, HIDDEN],
      ["a stranger to another's personal recording", 'Stranger', importedPersonal, 404, HIDDEN],
      [
        "an OWNER of an organization, of a member's personal recording",
        'Olga',
        importedPersonal,
        404,
        HIDDEN,
      ],
    ])('is refused for %s, and changes nothing', async (_, name, make, status, expected) => {
      const recordingId = await make();
      const reply = await open(as(name), recordingId);
      expect([reply.status, reply.body]).toEqual([status, expected]);
      expect(await uploadsOf(recordingId)).toEqual([]);
    });

    it('is refused without a key, when the recording is locked, and when the subscription has expired', async () => {
      const recordingId = await importedPersonal();
      expect((await open(service.api, recordingId)).body).toEqual(refusal('UNAUTHORIZED'));
      await service.import({
        users: [user('Free', { plan: 'FREE' })],
        organizations: [
          organization('Lapsed', {
            subscription: { status: 'expired', endsAt: null },
            members: [member('Ada', 'OWNER')],
          }),
        ],
      });
      const old = await importedBy('Free', { createdAt: '2020-01-01T00:00:00Z' });
      expect((await open(as('Free'), old)).body).toEqual(refusal('RECORDING_LOCKED'));
      const lapsed = await importedBy('Ada', { organization: 'Lapsed' });
      expect((await open(as('Ada'), lapsed)).body).toEqual(refusal('ORGANIZATION_SUBSCRIPTION_EXPIRED'));
      for (const each of [recordingId, old, lapsed]) expect(await uploadsOf(each)).toEqual([]);
    });
  });

  describe('creating', () => {
    const title = Buffer.from('x').toString('base64');
    const home = Buffer.from(acme.id).toString('base64');
    const ways = {
      'POST /recordings': (api: Client) => api.post('/recordings', { title: 'x', organization_id: acme.id }),
      'POST /uploads': (api: Client) =>
        api.request('POST', '/uploads', {
          headers: {
            ...TUS,
            'upload-length': '10',
            'upload-metadata': `title ${title},organization_id ${home}`,
          },
        }),
    } as const;
    const WAYS = ['POST /recordings', 'POST /uploads'] as const;

    describe.each(WAYS)('by %s', (way) => {
      it.each([
        ['Olga', 201],
        ['Adam', 201],
        ['Edith', 201],
        ['Vera', 403],
        ['Stranger', 403],
      ])('for an organization, %s gets %i', async (name, status) => {
        expect((await ways[way](as(name))).status).toBe(status);
      });

      it('requires a key', async () => {
        const { status, body } = await ways[way](service.api);
        expect(status).toBe(401);
        expect(body).toEqual(refusal('UNAUTHORIZED'));
      });
    });
  });

  it('OPTIONS is public and reveals nothing about a recording', async () => {
    const { id: hidden } = await personal();
    const [of, ofNothing] = [
      await service.api.request('OPTIONS', `/uploads/${hidden}`),
      await service.api.request('OPTIONS', `/uploads/${id()}`),
    ];
    expect([of.status, of.body]).toEqual([204, '']);
    expect([of.status, [...of.headers.keys()]]).toEqual([ofNothing.status, [...ofNothing.headers.keys()]]);
  });
});
