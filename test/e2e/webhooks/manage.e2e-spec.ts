import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { refusal } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { createdWebhook } from '../../support/webhooks.js';

const URL = 'https://hooks.example.com/recordings';

describe('webhooks', () => {
  let service: TestService;
  const people = ['Ada', 'Grace', 'Linus', 'Zed'].map((name) => user(name));
  const [ada, grace] = people;
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Linus', 'EDITOR')],
  });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: people, organizations: [acme] });
  });
  afterEach(() => service.dataSource.query('DELETE FROM webhooks'));
  afterAll(() => service.stop());

  const as = (name: string) => service.api.as(keyOf(name));
  const create = (fields: object) => as('Ada').post('/webhooks', { url: URL, types: ['*'], ...fields });

  it('are created with a secret, which is never returned again and is stored sealed', async () => {
    const { status, body } = await create({ description: ' CRM ', types: ['recording.*', 'recording.*'] });
    expect(status).toBe(201);
    const { secret, ...shown } = body.data;
    expect(shown).toEqual({
      id: expect.any(String),
      organization_id: null,
      created_by: ada!.id,
      url: URL,
      headers: [],
      types: ['recording.*'],
      description: 'CRM',
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await as('Ada').get(`/webhooks/${shown.id}`)).body.data).toEqual(shown);
    const listed = { ...shown, url: 'https://hooks.example.com/...' };
    expect((await as('Ada').get('/webhooks')).body.data).toEqual([listed]);
    const rows = await service.dataSource.query('SELECT * FROM webhook_secrets');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30));
    expect(rows[0].secret_sealed.toString('latin1')).not.toContain('whsec_');
  });

  it.each([
    'not a url',
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://metadata.google.internal/',
  ])('are not created for %s, nor moved there', async (url) => {
    const error = refusal(
      'VALIDATION_ERROR',
      'url: must be an https URL of a public host, on port 443 or one from 1024 up, without user name and password (ALLOW_PRIVATE_ADDRESSES permits others)',
    );
    const { status, body } = await create({ url });
    expect([status, body]).toEqual([400, error]);
    const { id: webhookId } = await createdWebhook(as('Ada'), { url: URL });
    const moved = await as('Ada').patch(`/webhooks/${webhookId}`, { url });
    expect([moved.status, moved.body]).toEqual([400, error]);
  });

  it.each([
    [{ types: [] }, /^types: must be a list of 1 to 100/],
    [
      { types: ['recording.exploded'] },
      /^types\[0\]: is not a type of event, such as recording\.completed, nor one of recording\.\*/,
    ],
    [{ url: `${URL}?${'a'.repeat(2_000)}` }, /^url: must be a string of 1 to 2,000/],
    [{ description: 'a'.repeat(201) }, /^description: /],
    [{ headers: 'Authorization: x' }, /^headers: must be an object of at most 10 headers/],
    [{ headers: ['Authorization'] }, /^headers: must be an object of at most 10 headers/],
    [{ headers: { Authorization: ['x'] } }, /^headers: must be an object of at most 10 headers/],
    [
      { headers: Object.fromEntries(Array.from({ length: 11 }, (_, nth) => [`X-${nth}`, 'x'])) },
      /^headers: must be an object of at most 10 headers/,
    ],
    [{ headers: { 'X-A': 'x', 'x-a': 'y' } }, /^headers: must name each header once/],
    [{ headers: { 'X A': 'x' } }, /^headers: must have names of 1 to 100/],
    [{ headers: { 'Webhook-Id': 'x' } }, /^headers: cannot have Webhook-Id, which the service/],
    [{ headers: { HOST: 'x' } }, /^headers: cannot have HOST, which the service/],
    [{ headers: { 'Content-Length': '1' } }, /^headers: cannot have Content-Length/],
    ...['', ' x', 'secret\r\nX-B: y', 'secret\0', 'secret €', 'x'.repeat(2_001), 3, null].map(
      (value) =>
        [
          { headers: { Authorization: value } },
          /^headers: must have for Authorization a value of 1 to 2,000 characters of Latin-1, without line breaks, nor blanks around it, or null$/,
        ] as [object, RegExp],
    ),
    [
      { secret: 'mine' },
      /^secret: unknown field \(allowed: url, headers, types, description, organization_id\)/,
    ],
  ])('are not created with %j', async (fields, message) => {
    const { status, body } = await create(fields);
    expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', expect.stringMatching(message))]);
  });

  it('have headers of their own, of which only the names are returned', async () => {
    const headers = { Authorization: 'Bearer s3cr3t', 'x-tenant': 'Zürich s3cr3t' };
    const made = await as('Ada').request('POST', '/webhooks', {
      body: { url: URL, types: ['*'], headers },
      headers: { 'Idempotency-Key': 'made' },
    });
    expect([made.status, made.body.data.headers]).toEqual([201, ['Authorization', 'x-tenant']]);
    const at = `/webhooks/${made.body.data.id}`;
    const patch = async (fields: object) => (await as('Ada').patch(at, fields)).body;
    expect((await patch({ description: 'CRM', url: 'https://hooks.example.com/v2' })).data.headers).toEqual([
      'Authorization',
      'x-tenant',
    ]);
    expect(await patch({ url: 'https://elsewhere.example.com/' })).toEqual(
      refusal(
        'VALIDATION_ERROR',
        expect.stringMatching(/^headers: must be given again with a url of another host/),
      ),
    );
    const seen = [
      made.body,
      (await as('Ada').get(at)).body,
      (await as('Ada').get('/webhooks')).body,
      await service.dataSource.query('SELECT to_jsonb(w) FROM webhooks w'),
      await service.dataSource.query('SELECT to_jsonb(c) FROM change_log c'),
    ];
    expect(JSON.stringify(seen)).not.toContain('s3cr3t');
    const moved = { url: 'https://elsewhere.example.com/', headers: { 'X-Key': 'k' } };
    expect((await patch(moved)).data).toMatchObject({ url: moved.url, headers: ['X-Key'] });
    expect((await patch({ headers: null })).data.headers).toEqual([]);
    expect((await patch({ headers: {} })).data.headers).toEqual([]);
  });

  it('are changed, disabled and enabled', async () => {
    const { id: webhookId } = await createdWebhook(as('Ada'), { url: URL, description: 'CRM' });
    const patch = async (fields: object) =>
      (await as('Ada').patch(`/webhooks/${webhookId}`, fields)).body.data;
    expect(await patch({ url: 'https://hooks.example.com/v2', types: ['folder.created'] })).toMatchObject({
      url: 'https://hooks.example.com/v2',
      types: ['folder.created'],
      description: 'CRM',
    });
    expect(await patch({ description: null })).toMatchObject({ description: null });
    expect(await patch({ enabled: false })).toMatchObject({ status: 'disabled', disabled_reason: 'user' });
    expect(await patch({ enabled: false })).toMatchObject({ status: 'disabled', disabled_reason: 'user' });
    expect(await patch({ enabled: true })).toMatchObject({ status: 'enabled', disabled_reason: null });
    expect((await as('Ada').patch(`/webhooks/${webhookId}`, {})).status).toBe(400);
  });

  it('are deleted', async () => {
    const { id: webhookId } = await createdWebhook(as('Ada'), { url: URL });
    expect((await as('Ada').delete(`/webhooks/${webhookId}`)).body).toEqual({ data: { success: true } });
    expect((await as('Ada').get(`/webhooks/${webhookId}`)).body).toEqual(refusal('WEBHOOK_NOT_FOUND'));
    expect(await service.dataSource.query('SELECT FROM webhook_secrets')).toEqual([]);
  });

  it('get a new secret, with the one before ending a day later', async () => {
    const { id: webhookId, secret } = await createdWebhook(as('Ada'), { url: URL });
    for (let rotations = 0; rotations < 6; rotations += 1) {
      const { status, body } = await as('Ada').post(`/webhooks/${webhookId}/rotate-secret`);
      expect(status).toBe(201);
      expect(body.data.secret).toMatch(/^whsec_/);
      expect(body.data.secret).not.toBe(secret);
    }
    const rows: { expires_at: Date | null }[] = await service.dataSource.query(
      'SELECT expires_at FROM webhook_secrets ORDER BY id',
    );
    expect(rows).toHaveLength(5);
    expect(rows.at(-1)?.expires_at).toBeNull();
    for (const { expires_at: end } of rows.slice(0, -1)) {
      expect(Math.abs(end!.getTime() - Date.now() - 86_400_000)).toBeLessThan(60_000);
    }
  });

  it('are at most 20 per user and 20 per organization, also if they are created at once', async () => {
    const outcomes = async (name: string, fields: object): Promise<number[]> => {
      const replies = await Promise.all(
        Array.from({ length: 22 }, () => as(name).post('/webhooks', { url: URL, types: ['*'], ...fields })),
      );
      return replies.map(({ status }) => status).sort();
    };
    const expected = [...Array(20).fill(201), 409, 409];
    expect(await outcomes('Ada', {})).toEqual(expected);
    expect(await outcomes('Grace', { organization_id: acme.id })).toEqual(expected);
    const { body } = await as('Ada').post('/webhooks', { url: URL, types: ['*'], organization_id: acme.id });
    expect(body).toEqual(
      refusal('CONFLICT', 'An organization can have at most 20 webhooks; delete one first.'),
    );
    expect((await as('Grace').post('/webhooks', { url: URL, types: ['*'] })).status).toBe(201);
  });

  it('are in the change log, without address and secret', async () => {
    const logged = await changesOf(service.dataSource, async () => {
      const { id: webhookId } = await createdWebhook(as('Grace'), { url: URL, organization_id: acme.id });
      await as('Ada').patch(`/webhooks/${webhookId}`, { url: 'https://hooks.example.com/v2' });
      await as('Ada').patch(`/webhooks/${webhookId}`, { enabled: false });
      await as('Ada').patch(`/webhooks/${webhookId}`, { enabled: true, description: 'CRM' });
      await as('Ada').patch(`/webhooks/${webhookId}`, { description: 'CRM' });
      await as('Ada').post(`/webhooks/${webhookId}/rotate-secret`);
      await as('Ada').delete(`/webhooks/${webhookId}`);
    });
    expect(logged.map(({ type, actor_id: actor, details }) => [type, actor, details])).toEqual([
      ['webhook.created', grace!.id, { after: { types: ['*'] } }],
      ['webhook.updated', ada!.id, { fields: ['url', 'created_by'] }],
      ['webhook.disabled', ada!.id, { reason: 'user' }],
      ['webhook.updated', ada!.id, { fields: ['description', 'enabled'] }],
      ['webhook.secret_rotated', ada!.id, {}],
      ['webhook.deleted', ada!.id, { before: { types: ['*'] } }],
    ]);
    for (const change of logged) {
      expect(change).toMatchObject({
        organization_id: acme.id,
        user_id: null,
        target_id: logged[0]!.target_id,
      });
    }
    expect(JSON.stringify(logged)).not.toMatch(/whsec|hooks\.example/);
  });

  it('go with their user and their organization, silently', async () => {
    const zed = await createdWebhook(as('Zed'), { url: URL });
    const logged = await changesOf(service.dataSource, () =>
      service.dataSource.query('DELETE FROM users WHERE email LIKE $1', ['zed@%']),
    );
    expect(logged.map(({ type }) => type)).not.toContain('webhook.deleted');
    expect(await service.dataSource.query('SELECT FROM webhooks WHERE id = $1', [zed.id])).toEqual([]);
  });

  describe('are used by', () => {
    const operations = (webhookId: string): [method: string, path: string, body?: object][] => [
      ['GET', `/webhooks/${webhookId}`],
      ['PATCH', `/webhooks/${webhookId}`, { description: 'x' }],
      ['POST', `/webhooks/${webhookId}/rotate-secret`],
      ['POST', `/webhooks/${webhookId}/test`],
      ['GET', `/webhooks/${webhookId}/deliveries`],
      ['GET', `/webhooks/${webhookId}/deliveries/${id()}`],
      ['POST', `/webhooks/${webhookId}/deliveries/${id()}/replay`],
      ['DELETE', `/webhooks/${webhookId}`],
    ];
    const answers = async (name: string, webhookId: string) => {
      const answered = [];
      for (const [method, path, body] of operations(webhookId)) {
        const reply = await as(name).request(method, path, { body });
        answered.push(reply.body.error?.code ?? reply.status);
      }
      return answered;
    };
    const ABSENT = 'WEBHOOK_DELIVERY_NOT_FOUND';
    const USED = [200, 200, 201, 202, 200, ABSENT, ABSENT, 200];

    it.each([
      ['Ada', USED],
      ['Grace', Array(8).fill('WEBHOOK_NOT_FOUND')],
    ])('%s, if they are those of Ada', async (name, expected) => {
      const { id: webhookId } = await createdWebhook(as('Ada'), { url: URL });
      expect(await answers(name, webhookId)).toEqual(expected);
    });

    it.each([
      ['Ada', USED],
      ['Grace', USED],
      ['Linus', Array(8).fill('FORBIDDEN')],
      ['Zoe', Array(8).fill('WEBHOOK_NOT_FOUND')],
    ])('%s, if they are those of the organization', async (name, expected) => {
      if (name === 'Zoe') await service.import({ users: [user('Zoe')] });
      const { id: webhookId } = await createdWebhook(as('Grace'), { url: URL, organization_id: acme.id });
      expect(await answers(name, webhookId)).toEqual(expected);
    });

    it.each([
      ['Ada', 200, 201],
      ['Grace', 200, 201],
      ['Linus', 403, 403],
    ])('%s, who lists and creates those of the organization', async (name, listed, created) => {
      expect((await as(name).get(`/webhooks?organization_id=${acme.id}`)).status).toBe(listed);
      const fields = { url: URL, types: ['*'], organization_id: acme.id };
      expect((await as(name).post('/webhooks', fields)).status).toBe(created);
    });

    it('nobody, if there is no such webhook or organization', async () => {
      for (const unknown of [id(), 'nonsense']) {
        expect(await answers('Ada', unknown)).toEqual(Array(8).fill('WEBHOOK_NOT_FOUND'));
        const fields = { url: URL, types: ['*'], organization_id: unknown };
        expect((await as('Ada').post('/webhooks', fields)).body).toEqual(refusal('ORGANIZATION_NOT_FOUND'));
        expect((await as('Ada').get(`/webhooks?organization_id=${unknown}`)).status).toBe(404);
      }
    });
  });
});
