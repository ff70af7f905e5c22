import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, user } from '../factories/workspace.js';
import { refusal, type Client, type Reply } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';
import { at, created, demoVideo, TUS } from '../support/uploads.js';

const video = demoVideo();
const SEES_ALL = { viewAllRecordings: true };
const HIDDEN = refusal('RECORDING_NOT_FOUND', 'Recording not found.');
const SEEN = refusal(
  'FORBIDDEN',
  'You can view this recording but not change it; its owner can, and every OWNER or ADMIN of its organization.',
);

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
  const bytes = video.subarray(0, 100);
  const requests = {
    HEAD: (api: Client, upload: string) => api.request('HEAD', `/uploads/${upload}`, { headers: TUS }),
    PATCH: (api: Client, upload: string) =>
      api.request('PATCH', `/uploads/${upload}`, { headers: at(0), body: bytes }),
    DELETE: (api: Client, upload: string) => api.delete(`/uploads/${upload}`, { headers: TUS }),
  } as const;
  const METHODS = ['HEAD', 'PATCH', 'DELETE'] as const;
  const ALLOWED = { HEAD: 200, PATCH: 204, DELETE: 204 };

  /** A recording with an open upload. */
  async function made(name: string, place: 'personal' | 'Acme'): Promise<string> {
    const home = place === 'personal' ? {} : { organization_id: acme.id };
    return (await created(as(name), { size: video.length, ...home })).id;
  }

  async function expectUntouched(recordingId: string): Promise<void> {
    const rows: unknown = await service.dataSource.query(
      `SELECT r.status, u.received::int, u.closed_at FROM recordings r JOIN uploads u ON u.recording_id = r.id WHERE r.id = $1`,
      [recordingId],
    );
    expect(rows).toEqual([{ status: 'UPLOADING', received: 0, closed_at: null }]);
  }

  describe.each(METHODS)('%s', (method) => {
    it.each([
      ['the owner of a personal recording', 'Ada', 'Ada', 'personal'],
      ['the EDITOR who created it', 'Edith', 'Edith', 'Acme'],
      ["an OWNER, of an EDITOR's", 'Olga', 'Edith', 'Acme'],
      ["an ADMIN, of an EDITOR's", 'Adam', 'Edith', 'Acme'],
    ] as const)('is allowed for %s', async (_, name, owner, place) => {
      const recordingId = await made(owner, place);
      expect((await requests[method](as(name), recordingId)).status).toBe(ALLOWED[method]);
    });

    it.each([
      ['another EDITOR who sees it', 'Edgar', 'Edith', 'Acme', 403, SEEN],
      ['a VIEWER who sees it', 'Vera', 'Edith', 'Acme', 403, SEEN],
      ['another EDITOR', 'Emil', 'Edith', 'Acme', 404, HIDDEN],
      ['a VIEWER', 'Viktor', 'Edith', 'Acme', 404, HIDDEN],
      ['a non-member', 'Stranger', 'Edith', 'Acme', 404, HIDDEN],
      ["a stranger to another's personal recording", 'Stranger', 'Ada', 'personal', 404, HIDDEN],
      ["an OWNER, of a member's personal recording", 'Olga', 'Ada', 'personal', 404, HIDDEN],
    ] as const)('is refused for %s, and changes nothing', async (_, name, owner, place, status, expected) => {
      const recordingId = await made(owner, place);
      const reply = await requests[method](as(name), recordingId);
      expect(reply.status).toBe(status);
      expect(reply.body).toEqual(method === 'HEAD' ? '' : expected);
      await expectUntouched(recordingId);
    });

    it('replies the same for a hidden upload as for a missing one, byte for byte', async () => {
      const hidden = await made('Edith', 'Acme');
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
      const own = await made(`Left${method}`, 'Acme');
      await service.dataSource.query(
        'DELETE FROM organization_members m USING users u WHERE u.id = m.user_id AND u.email = $1',
        [leaving.email],
      );
      expect((await requests[method](as(`Left${method}`), own)).status).toBe(404);
      await expectUntouched(own);
    });

    it.each([
      ['no key', undefined, 'UNAUTHORIZED'],
      ['an unknown key', 'mrs_unknownunknownunknownunknown', 'INVALID_API_KEY'],
    ])('requires a key: %s', async (_, key, code) => {
      const recordingId = await made('Ada', 'personal');
      const api = key === undefined ? service.api : service.api.as(key);
      const { status, headers, body } = await requests[method](api, recordingId);
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect(body).toEqual(method === 'HEAD' ? '' : refusal(code));
      await expectUntouched(recordingId);
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
    const hidden = await made('Ada', 'personal');
    const [of, ofNothing] = [
      await service.api.request('OPTIONS', `/uploads/${hidden}`),
      await service.api.request('OPTIONS', `/uploads/${id()}`),
    ];
    expect([of.status, of.body]).toEqual([204, '']);
    expect([of.status, [...of.headers.keys()]]).toEqual([ofNothing.status, [...ofNothing.headers.keys()]]);
  });
});
