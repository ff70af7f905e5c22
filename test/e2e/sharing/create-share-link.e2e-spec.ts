import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyPassword } from '../../../src/platform/passwords.js';
import { id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { startService, type TestService } from '../../support/service.js';

interface Offering {
  requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } };
}
const operation = openapi.paths['/api/v1/recordings/{id}/share-link']?.['post'] as unknown as Offering;
/** The bodies that the document offers to try; the first is filled in. */
const OFFERED = Object.values(operation.requestBody.content['application/json'].examples);

const expectedTime =
  'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z, or null';
const expectedPassword = 'must be text of 4 to 200 characters, without NUL, or null';

const PUBLIC_URL = 'https://meetings.example.com/base';

const inOrganization = (name: string, overrides: object, features: object = {}): object =>
  organization(name, {
    members: [member('Ada', 'OWNER', features), member('Linus', 'VIEWER')],
    ...overrides,
  });

describe('POST /recordings/:id/share-link', () => {
  let service: TestService;
  const users = [user('Ada'), user('Linus', { plan: 'FREE' }), user('Grace')];
  const own = recording('Ada');
  const fresh = Array.from({ length: 6 }, () => recording('Ada'));
  const unplayable = recording('Ada', { status: 'RECORDING' });
  const free = recording('Linus', { createdAt: new Date().toISOString() });
  const old = recording('Linus', { createdAt: '2020-01-01T00:00:00Z' });
  const [quiet, hushed, heavy, light, gone] = ['Quiet', 'Hushed', 'Heavy', 'Light', 'Gone'].map((name) =>
    recording('Ada', { organization: name }),
  );

  beforeAll(async () => {
    service = await startService({ PUBLIC_URL: `${PUBLIC_URL}/` });
    await service.import({
      users,
      organizations: [
        inOrganization('Quiet', { features: { sharing: false } }),
        inOrganization('Hushed', {}, { sharing: false }),
        inOrganization('Heavy', { features: { downloads: false } }),
        inOrganization('Light', { members: [member('Linus', 'VIEWER', { viewAllRecordings: true })] }),
        inOrganization('Acme', {
          members: [member('Ada', 'OWNER'), member('Linus', 'VIEWER', { viewAllRecordings: true })],
        }),
        inOrganization('Gone', { subscription: { status: 'expired', endsAt: null } }),
      ],
      recordings: [own, ...fresh, unplayable, free, old, quiet, hushed, heavy, light, gone],
    });
  });
  afterAll(() => service.stop());

  const share = (of: { id: string } | undefined, body?: unknown, name = 'Ada'): Promise<Reply> =>
    service.api.as(keyOf(name)).post(`/recordings/${of?.id}/share-link`, body);

  it.each(['view', 'download'])('creates a %s link and answers 201', async (permission) => {
    const { status, body } = await share(own, { permission });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
        share_url: `${PUBLIC_URL}/s/${body.data.share_token}`,
        share_token: expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/),
        permission,
        expires_at: null,
        has_password: false,
      },
    });
  });

  it('sets neither expiry nor password with the body that the document fills in', async () => {
    const offered = recording('Ada');
    await service.import({ recordings: [offered] });
    const { status, body } = await share(offered, OFFERED[0]?.value);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ permission: 'view', expires_at: null, has_password: false });
  });

  it('takes every body that the document offers', async () => {
    const offered = recording('Ada');
    await service.import({ recordings: [offered] });
    for (const { value } of OFFERED) expect((await share(offered, value)).status).toBe(201);
    expect(OFFERED).toHaveLength(3);
  });

  it.each([
    ['no body', undefined],
    ['an empty object', {}],
  ])('grants view when permission is left out: %s', async (_, body) => {
    const reply = await share(own, body);
    expect(reply.status).toBe(201);
    expect(reply.body.data.permission).toBe('view');
  });

  it('answers the same link when asked again, another for each permission', async () => {
    const view = await share(own, { permission: 'view' });
    const download = await share(own, { permission: 'download' });
    expect((await share(own, { permission: 'view' })).body).toEqual(view.body);
    expect((await share(own, { permission: 'download' })).body).toEqual(download.body);
    expect(download.body.data.share_token).not.toBe(view.body.data.share_token);
  });

  it('answers the same link to all who ask at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => share(fresh[0], {})));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(new Set(replies.map(({ body }) => body.data.share_token)).size).toBe(1);
  });

  it('makes tokens of at least 128 random bits that share no part', async () => {
    const tokens: string[] = [];
    for (const of of fresh) tokens.push((await share(of, {})).body.data.share_token);
    expect(new Set(tokens).size).toBe(6);
    for (const end of [(token: string) => token.slice(0, 6), (token: string) => token.slice(-6)]) {
      expect(new Set(tokens.map(end)).size).toBe(6);
    }
    for (const token of tokens) expect((token.length * Math.log2(64)) | 0).toBeGreaterThanOrEqual(128);
  });

  it('is possible before the recording is playable', async () => {
    expect((await share(unplayable, {})).status).toBe(201);
  });

  it('is made for a member who only sees the recording, whatever their personal plan', async () => {
    const { status, body } = await share(light, { permission: 'download' }, 'Linus');
    expect(status).toBe(201);
    expect(body.data.permission).toBe('download');
  });

  it.each([
    ['unknown', { permission: 'edit' }, 'permission'],
    ['in another case', { permission: 'VIEW' }, 'permission'],
    ['with blanks', { permission: ' view' }, 'permission'],
    ['empty', { permission: '' }, 'permission'],
    ['null', { permission: null }, 'permission'],
    ['a number', { permission: 1 }, 'permission'],
    ['a list', { permission: ['view'] }, 'permission'],
    ['in a list', [{ permission: 'view' }], 'body'],
    ['missing from a body of null', 'null', 'body'],
    ['beside an unknown field', { permission: 'view', expires: '2030-01-01' }, 'expires'],
  ])('refuses a permission that is %s', async (_, body, named) => {
    const reply = await share(own, body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(named)));
  });

  it.each([
    ['a locked recording', old, 'view', 'Linus', 403, 'RECORDING_LOCKED'],
    ['a download link on the FREE plan', free, 'download', 'Linus', 403, 'RECORDING_LOCKED'],
    ['sharing switched off for the organization', quiet, 'view', 'Ada', 403, 'SHARING_DISABLED'],
    ['sharing switched off for the member', hushed, 'view', 'Ada', 403, 'SHARING_DISABLED'],
    ['a download link with downloads switched off', heavy, 'download', 'Ada', 403, 'FORBIDDEN'],
    ['an ended Enterprise subscription', gone, 'view', 'Ada', 402, 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
    ["somebody else's recording", own, 'view', 'Grace', 404, 'RECORDING_NOT_FOUND'],
    ['an unknown id', { id: id() }, 'view', 'Ada', 404, 'RECORDING_NOT_FOUND'],
    ['an id that is no UUID', { id: 'x' }, 'view', 'Ada', 404, 'RECORDING_NOT_FOUND'],
  ])('refuses %s', async (_, of, permission, name, status, code) => {
    const reply = await share(of, { permission }, name);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual(refusal(code));
  });

  it('lets the FREE plan share for viewing', async () => {
    expect((await share(free, { permission: 'view' }, 'Linus')).status).toBe(201);
  });

  describe('with expiry and password', () => {
    const NOW = new Date('2026-01-31T09:30:00.000Z');
    const TOMORROW = '2026-02-01T09:30:00.000Z';
    const PROTECTED = { expires_at: TOMORROW, password: 'correct horse' };
    const NOT_YOURS =
      'Somebody else made this share link. Who made it, or may change the recording, can set its expiry and password; leave both out to get it as it is.';
    let subject: { id: string };

    beforeEach(async () => {
      subject = recording('Ada', { organization: 'Acme' });
      await service.import({ recordings: [subject] });
      service.setNow(NOW);
    });
    afterEach(() => service.setNow(null));

    const linked = async (body?: object, name?: string) => (await share(subject, body, name)).body.data;
    const stored = async (): Promise<Record<string, unknown>[]> =>
      service.dataSource.query(`SELECT * FROM share_links WHERE recording_id = $1`, [subject.id]);
    const hash = async (): Promise<string> => String((await stored())[0]?.['password_hash']);

    it('makes a link that has them, and never tells the password', async () => {
      const { status, body } = await share(subject, PROTECTED);
      expect(status).toBe(201);
      expect(body.data).toMatchObject({ expires_at: TOMORROW, has_password: true });
      expect(JSON.stringify(body)).not.toContain('horse');
      expect(JSON.stringify(await stored())).not.toContain('horse');
      expect(await verifyPassword('correct horse', await hash())).toBe(true);
    });

    it('keeps the password exactly as it was typed', async () => {
      await linked({ password: '  Caf\u00e9 \u{1f40e} ' });
      expect(await verifyPassword('  Caf\u00e9 \u{1f40e} ', await hash())).toBe(true);
      expect(await verifyPassword('Caf\u00e9 \u{1f40e}', await hash())).toBe(false);
    });

    it('leaves as it is what is left out, changes what is given, and keeps the token', async () => {
      const first = await linked(PROTECTED);
      expect(await linked()).toEqual(first);
      expect(await linked({ expires_at: '2026-03-01T00:00:00+02:00' })).toEqual({
        ...first,
        expires_at: '2026-02-28T22:00:00.000Z',
      });
      expect(await verifyPassword('correct horse', await hash())).toBe(true);
      expect(await linked({ password: 'battery staple' })).toMatchObject({
        expires_at: '2026-02-28T22:00:00.000Z',
        has_password: true,
      });
      expect(await verifyPassword('battery staple', await hash())).toBe(true);
      expect(await linked({ expires_at: null })).toEqual({ ...first, expires_at: null });
      expect(await linked({ password: null })).toEqual({ ...first, expires_at: null, has_password: false });
    });

    it('sets those of each permission apart', async () => {
      await linked({ permission: 'download', ...PROTECTED });
      expect(await linked({ permission: 'view' })).toMatchObject({ expires_at: null, has_password: false });
    });

    it('lets the creator change them, and who may change the recording', async () => {
      const first = await linked({}, 'Linus');
      expect(await linked({ expires_at: TOMORROW }, 'Linus')).toEqual({ ...first, expires_at: TOMORROW });
      expect(await linked({ password: 'correct horse' }, 'Ada')).toEqual({
        ...first,
        expires_at: TOMORROW,
        has_password: true,
      });
    });

    it.each([
      ['an expiry', { expires_at: '2026-02-02' }],
      ['none', { expires_at: null }],
      ['a password', { password: 'mine' }],
      ['no password', { password: null }],
    ])('refuses %s to who only sees the recording of a link that another made', async (_, body) => {
      const first = await linked(PROTECTED);
      const before = await stored();
      const refused = await share(subject, body, 'Linus');
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual(refusal('FORBIDDEN', NOT_YOURS));
      expect(await stored()).toEqual(before);
      expect(await linked({}, 'Linus')).toEqual(first);
    });

    it('makes another link in the place of an expired one, for whoever asks', async () => {
      const expired = await linked(PROTECTED);
      await service.dataSource.query(
        'UPDATE share_links SET view_count = 7, last_viewed_at = $1 WHERE id = $2',
        [NOW, expired.id],
      );
      service.setNow(new Date(TOMORROW));
      const next = await linked({ expires_at: '2026-02-03' }, 'Linus');
      expect(next.id).not.toBe(expired.id);
      expect(next.share_token).not.toBe(expired.share_token);
      expect(await stored()).toEqual([
        {
          id: next.id,
          recording_id: subject.id,
          permission: 'view',
          token: next.share_token,
          created_by: users[1]?.id,
          created_at: new Date(TOMORROW),
          expires_at: new Date('2026-02-03T00:00:00.000Z'),
          password_hash: null,
          view_count: 0,
          last_viewed_at: null,
        },
      ]);
    });

    it('answers the same new link to all who ask at the same time for an expired one', async () => {
      const expired = await linked(PROTECTED);
      service.setNow(new Date(TOMORROW));
      const links = await Promise.all(Array.from({ length: 8 }, () => linked()));
      expect(new Set(links.map((link) => link.id)).size).toBe(1);
      expect(links[0].id).not.toBe(expired.id);
    });

    it.each([
      ['expires_at', '2026-01-31T09:30:00Z', 'must be an ISO 8601 time in the future, or null'],
      ['expires_at', '2026-01-31', 'must be an ISO 8601 time in the future, or null'],
      ['expires_at', 'tomorrow', expectedTime],
      ['expires_at', '', expectedTime],
      ['expires_at', 1_900_000_000, expectedTime],
      ['password', '123', expectedPassword],
      ['password', '\u{1f40e}\u{1f40e}\u{1f40e}', expectedPassword],
      ['password', 'x'.repeat(201), expectedPassword],
      ['password', '', expectedPassword],
      ['password', 'nul\0nul', expectedPassword],
      ['password', 'half \ud83d', expectedPassword],
      ['password', 1234, expectedPassword],
      ['password', ['1234'], expectedPassword],
    ])('refuses as %s %j', async (field, value, expected) => {
      // Mistakes in the body come first, whatever the recording is.
      for (const target of [subject, old, { id: id() }]) {
        const { status, body } = await share(target, { [field]: value }, 'Linus');
        expect(status).toBe(400);
        expect(body).toEqual(refusal('VALIDATION_ERROR', `${field}: ${expected}`));
      }
      expect(await stored()).toEqual([]);
    });

    it.each([
      ['4 characters', '1234'],
      ['200 characters of two code units', '\u{1f40e}'.repeat(200)],
      ['blanks', '    '],
    ])('takes a password of %s', async (_, password) => {
      expect(await linked({ password })).toMatchObject({ has_password: true });
    });
  });
});
