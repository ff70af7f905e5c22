import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';

interface OperationWithExamples {
  requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } };
}
const operation = openapi.paths['/api/v1/recordings/{id}/share-link']?.[
  'post'
] as unknown as OperationWithExamples;
/** The example bodies of the API document; interactive docs prefill the first. */
const EXAMPLES = Object.values(operation.requestBody.content['application/json'].examples);

const PUBLIC_URL = 'https://meetings.example.com/base';

const inOrganization = (name: string, overrides: object, features: object = {}): object =>
  organization(name, {
    members: [member('Ada', 'OWNER', features), member('Linus', 'VIEWER')],
    ...overrides,
  });

describe('POST /recordings/:id/share-link', () => {
  cheapPasswords();
  let service: TestService;
  const users = [user('Ada'), user('Linus', { plan: 'FREE' })];
  const own = recording('Ada');
  const fresh = recording('Ada');
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
      recordings: [own, fresh, unplayable, free, old, quiet, hushed, heavy, light, gone],
    });
  });
  afterAll(() => service.stop());

  const share = (of: { id: string } | undefined, body?: unknown, name = 'Ada'): Promise<Reply> =>
    service.api.as(keyOf(name)).post(`/recordings/${of?.id}/share-link`, body);

  it.each(['view', 'download'])('creates a %s link and returns 201', async (permission) => {
    const { status, body } = await share(own, { permission });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
        share_url: `${PUBLIC_URL}/s/${body.data.share_token}`,
        share_token: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
        permission,
        label: null,
        expires_at: null,
        tracks: false,
        has_password: false,
      },
    });
  });

  it('accepts every example in the API document', async () => {
    const shared = recording('Ada');
    await service.import({ recordings: [shared] });
    for (const { value } of EXAMPLES) expect((await share(shared, value)).status).toBe(201);
    expect(EXAMPLES).toHaveLength(5);
  });

  it('defaults permission to view, without a body', async () => {
    const reply = await share(own, undefined);
    expect([reply.status, reply.body.data.permission]).toEqual([200, 'view']);
  });

  it('answers 200 with the same link, one per permission, when it is requested again', async () => {
    const view = await share(own, { permission: 'view', expires_at: null, password: null, label: null });
    const download = await share(own, { permission: 'download' });
    const again = await share(own, { permission: 'view' });
    expect([again.status, again.headers.get('location'), again.body]).toEqual([200, null, view.body]);
    expect((await share(own, { permission: 'download' })).body).toEqual(download.body);
    expect(download.body.data.share_token).not.toBe(view.body.data.share_token);
  });

  it('returns the same link to all concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => share(fresh, {})));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.data.share_token)).size).toBe(1);
  });

  it('creates a link before the recording is playable', async () => {
    expect((await share(unplayable, {})).status).toBe(201);
  });

  it('creates a link for a member who can only view the recording, whatever their personal plan', async () => {
    const { status, body } = await share(light, { permission: 'download' }, 'Linus');
    expect(status).toBe(201);
    expect(body.data.permission).toBe('download');
  });

  it.each([
    ['unknown', { permission: 'edit' }, 'permission'],
    ['a list', { permission: ['view'] }, 'permission'],
    ['inside a list', [{ permission: 'view' }], 'body'],
    ['sent with an unknown field', { permission: 'view', expires: '2030-01-01' }, 'expires'],
  ])('rejects a permission that is %s', async (_, body, named) => {
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
    ['an expired Enterprise subscription', gone, 'view', 'Ada', 402, 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
  ])('rejects %s', async (_, of, permission, name, status, code) => {
    const reply = await share(of, { permission }, name);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual(refusal(code));
  });
});
