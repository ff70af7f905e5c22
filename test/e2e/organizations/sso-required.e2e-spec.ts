import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { done, outcome, type Client } from '../../support/client.js';
import { OpenStream } from '../../support/event-stream.js';
import { startService, type TestService } from '../../support/service.js';
import { signedIn } from '../../support/sessions.js';

const PROVIDERS = JSON.stringify(
  ['corp', 'other'].map((name) => ({
    name,
    label: name,
    issuer: 'https://login.example.com',
    client_id: 'meetings',
    client_secret: 'secret',
  })),
);
const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN')] });
const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });
const board = recording('Ada', { title: 'Board', organization: 'Acme' });
const AT = `/organizations/${acme.id}`;
const CORP = { way: 'provider', provider: 'corp' } as const;

describe('an organization that demands its identity provider', () => {
  let service: TestService;
  let ada: Client;
  let corp: Client;

  beforeAll(async () => {
    service = await startService({ IDENTITY_PROVIDERS: PROVIDERS });
    await service.import({
      users: [user('Ada'), user('Grace')],
      organizations: [acme, beta],
      recordings: [board],
    });
    ada = service.api.as(keyOf('Ada'));
    corp = await signedIn(service, ada, CORP);
  });
  afterAll(() => service?.stop());

  const demand = (client: Client, provider: string | null) => client.patch(AT, { sso_provider: provider });

  it('is not demanded by anybody whom it would lock out, nor by anybody but an OWNER', async () => {
    const { status, body } = await demand(ada, 'corp');
    expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
    expect(body.error.message).toContain('Sign in with corp first');
    expect(outcome(await demand(await signedIn(service, ada), 'corp'))).toEqual([409, 'CONFLICT']);
    expect(outcome(await demand(corp, 'other'))).toEqual([409, 'CONFLICT']);
    const grace = await signedIn(service, service.api.as(keyOf('Grace')), CORP);
    expect(outcome(await demand(grace, 'corp'))).toEqual([403, 'FORBIDDEN']);
    const unknown = await demand(corp, 'unknown');
    expect([unknown.status, unknown.body.error.message]).toEqual([
      400,
      'sso_provider: must be one of corp, other, or null',
    ]);
    expect((await done(ada.get(AT))).sso_provider).toBeNull();
  });

  it('is reached by no other session or key, and by keys that were made in such a session', async () => {
    const before = await OpenStream.open(service.api, keyOf('Grace'), `?organization_id=${acme.id}`);
    expect((await done(demand(corp, 'corp'))).sso_provider).toBe('corp');
    // A second at most, in all processes.
    await before.until(({ isOpen }) => !isOpen, 1_000);

    const link = await signedIn(service, ada);
    const other = await signedIn(service, ada, { way: 'provider', provider: 'other' });
    for (const client of [ada, link, other]) {
      const { status, body } = await client.get(AT);
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
      expect(body.error.message).toContain('Members of this organization sign in with corp.');
      expect(outcome(await client.get(`/recordings/${board.id}`))).toEqual([404, 'RECORDING_NOT_FOUND']);
      expect((await done(client.get('/recordings'))).length).toBe(0);
      expect((await client.get(`/organizations/${beta.id}`)).status).toBe(200);
    }
    expect((await done(link.get('/me'))).session.refused_by).toEqual([acme.id]);
    expect((await done(ada.get('/me'))).api_key.refused_by).toEqual([acme.id]);

    expect((await corp.get(`/recordings/${board.id}`)).status).toBe(200);
    const { key, id: keyId } = await done(corp.post('/api-keys', { name: 'made with corp' }));
    const made = service.api.as(key);
    expect((await made.get(`/recordings/${board.id}`)).status).toBe(200);
    const child = await done(made.post('/api-keys', { name: 'made with that key' }));
    expect((await service.api.as(child.key).get(AT)).status).toBe(200);

    // Another key cannot turn it into one of its own.
    const stolen = await done(ada.post(`/api-keys/${keyId}/rotate`, { overlap: 0 }));
    expect(outcome(await service.api.as(stolen.key).get(AT))).toEqual([403, 'FORBIDDEN']);
  });

  it('says so in its audit log', async () => {
    const rows = await done(corp.get(`${AT}/audit-log?type=organization.updated`));
    expect(rows[0]).toMatchObject({
      changes: { fields: ['sso_provider'] },
      actor: { name: 'Ada' },
    });
  });

  it('is lifted by its OWNER', async () => {
    expect((await done(demand(corp, null))).sso_provider).toBeNull();
    expect((await ada.get(AT)).status).toBe(200);
  });
});
