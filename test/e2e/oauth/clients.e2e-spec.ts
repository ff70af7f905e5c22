import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { done, outcome, refusal, type Client } from '../../support/client.js';
import { browserOf, issuerOf, OAuthApp } from '../../support/oauth.js';
import { startService, type TestService } from '../../support/service.js';

const CALLBACK = 'https://crm.acme.test/callback';
const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN')] });
const ofAcme = { name: 'CRM', redirect_uris: [CALLBACK], organization_id: acme.id };

describe('/oauth-clients', () => {
  let service: TestService;
  let [ada, grace, stranger, operator]: Client[] = [];
  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: ['Ada', 'Grace', 'Eve', 'Op'].map((name) => user(name)),
      organizations: [acme],
    });
    await service.dataSource.query(`UPDATE users SET operator = true WHERE name = 'Op'`);
    [ada, grace, stranger, operator] = ['Ada', 'Grace', 'Eve', 'Op'].map((name) =>
      service.api.as(keyOf(name)),
    );
  });
  afterAll(() => service.stop());

  const params = { redirect_uri: CALLBACK };
  /** Connects Grace; the client sends its secret in the body. */
  const connect = async (app: OAuthApp): Promise<string> => {
    const browser = await browserOf(service, 'Grace');
    const back = await app.decide(browser, await app.ask(browser, { params }));
    const { status, body } = await app.redeem(back.searchParams.get('code')!, params);
    expect([status, body.error_description]).toEqual([200, undefined]);
    return body.access_token;
  };

  it('registers a client that can keep a secret, which is shown once and works in both ways', async () => {
    const made = await ada!.post('/oauth-clients', { ...ofAcme, confidential: true });
    expect(made.status).toBe(201);
    const { client_secret: secret, ...shown } = made.body.data;
    expect(secret).toMatch(/^\w{43}$/);
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'CRM',
      redirect_uris: [CALLBACK],
      confidential: true,
      organization_id: acme.id,
      created_at: expect.any(String),
    });
    expect(made.headers.get('location')).toBe(`/api/v1/oauth-clients/${shown.id}`);
    expect(await done(ada!.get(`/oauth-clients/${shown.id}`))).toEqual(shown);
    const app = OAuthApp.of(issuerOf(service), shown.id, secret);
    const token = await connect(app);
    expect((await service.api.as(token).get('/recordings')).status).toBe(200);
    const connection = (await done(grace!.get('/me/connections')))[0];
    expect(connection.client).toEqual({ id: shown.id, name: 'CRM' });
    const basic = await fetch(`${issuerOf(service)}/oauth/revoke`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${shown.id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ token }),
    });
    expect(basic.status).toBe(200);
    expect(await service.api.as(token).get('/recordings')).toMatchObject({
      status: 401,
      body: refusal('INVALID_TOKEN'),
    });
    const withoutSecret = await OAuthApp.of(issuerOf(service), shown.id).refresh('x');
    expect(withoutSecret).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('ends the connections of a client that is deleted, at once', async () => {
    const client = await done(ada!.post('/oauth-clients', ofAcme));
    expect(client.client_secret).toBeNull();
    const app = OAuthApp.of(issuerOf(service), client.id);
    const token = await connect(app);
    expect((await ada!.delete(`/oauth-clients/${client.id}`)).status).toBe(200);
    expect(outcome(await service.api.as(token).get('/recordings'))).toEqual([401, 'INVALID_TOKEN']);
    expect(await app.refresh('x')).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(outcome(await ada!.get(`/oauth-clients/${client.id}`))).toEqual([404, 'NOT_FOUND']);
    const types = (await done(ada!.get(`/organizations/${acme.id}/audit-log`))).map(
      ({ type }: { type: string }) => type,
    );
    expect(types).toEqual(expect.arrayContaining(['oauth_client.created', 'oauth_client.deleted']));
  });

  it('is for the OWNER of an organization', async () => {
    const { id: client } = await done(ada!.post('/oauth-clients', ofAcme));
    const path = `/oauth-clients/${client}`;
    const list = `/oauth-clients?organization_id=${acme.id}`;
    const ids = (await done(ada!.get(list))).map((one: { id: string }) => one.id);
    expect(ids[0]).toBe(client);
    expect(outcome(await grace!.post('/oauth-clients', ofAcme))).toEqual([403, 'FORBIDDEN']);
    for (const reply of [await grace!.get(list), await grace!.get(path), await grace!.delete(path)])
      expect(outcome(reply)).toEqual([403, 'FORBIDDEN']);
    for (const reply of [await stranger!.get(list), await stranger!.post('/oauth-clients', ofAcme)])
      expect(outcome(reply)).toEqual([403, 'FORBIDDEN']);
    for (const reply of [await stranger!.get(path), await stranger!.delete(path)])
      expect(outcome(reply)).toEqual([404, 'NOT_FOUND']);
    expect((await ada!.get(path)).status).toBe(200);
  });

  it('is for operators without an organization', async () => {
    const { organization_id: _, ...fields } = ofAcme;
    const { id: client } = await done(operator!.post('/oauth-clients', fields));
    const own = await OAuthApp.register(issuerOf(service));
    // Not those that register themselves.
    expect((await done(operator!.get('/oauth-clients'))).map((one: { id: string }) => one.id)).toEqual([
      client,
    ]);
    for (const reply of [await ada!.get('/oauth-clients'), await ada!.post('/oauth-clients', fields)])
      expect(outcome(reply)).toEqual([403, 'FORBIDDEN']);
    for (const hidden of [client, own.clientId, id(), 'mrs'])
      expect(outcome(await ada!.delete(`/oauth-clients/${hidden}`))).toEqual([404, 'NOT_FOUND']);
    expect((await operator!.delete(`/oauth-clients/${client}`)).status).toBe(200);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ redirect_uris: [] }, 'redirect_uris: must be a list of 1 to 10 URLs'],
    [{ redirect_uris: ['http://crm.acme.test/'] }, 'redirect_uris'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
    [{ redirect_uris: [`${CALLBACK}#x`] }, 'redirect_uris'],
  ])('refuses %j', async (fields, problem) => {
    const { status, body } = await ada!.post('/oauth-clients', { ...ofAcme, ...fields });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(problem)]);
  });

  it('goes with its organization', async () => {
    const { id: client } = await done(ada!.post('/oauth-clients', ofAcme));
    const token = await connect(OAuthApp.of(issuerOf(service), client));
    expect((await ada!.delete(`/organizations/${acme.id}?recordings=delete`)).status).toBe(200);
    expect(outcome(await service.api.as(token).get('/recordings'))).toEqual([401, 'INVALID_TOKEN']);
  });
});
