import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
        label: null,
        expires_at: null,
        has_password: false,
      },
    });
  });

  it('is the plain link with the body that the document fills in', async () => {
    const offered = recording('Ada');
    await service.import({ recordings: [offered] });
    const { status, body } = await share(offered, OFFERED[0]?.value);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      permission: 'view',
      label: null,
      expires_at: null,
      has_password: false,
    });
    expect((await share(offered, {})).body).toEqual(body);
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

  it('takes nulls for options that are left out', async () => {
    const plain = await share(own, {});
    const nulls = { permission: 'view', expires_at: null, password: null, label: null };
    expect((await share(own, nulls)).body).toEqual(plain.body);
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
    ['sharing turned off for the organization', quiet, 'view', 'Ada', 403, 'SHARING_DISABLED'],
    ['sharing turned off for the member', hushed, 'view', 'Ada', 403, 'SHARING_DISABLED'],
    ['a download link with downloads turned off', heavy, 'download', 'Ada', 403, 'FORBIDDEN'],
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
});
