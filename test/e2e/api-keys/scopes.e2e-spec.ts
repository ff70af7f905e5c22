import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { SCOPE_NAMES, SCOPE_PRESETS, type Scope } from '../../../src/contract/scopes.js';
import { emailOf, id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { OpenStream } from '../../support/event-stream.js';
import { startService, type TestService } from '../../support/service.js';

const LACKS = 'does not have the scope';
const READ_ONLY = SCOPE_PRESETS['read-only'];

/** Operations that take an API key, with the scopes that the API document says they require. */
const OPERATIONS = Object.entries(openapi.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { security }]) => {
    const required = security?.flatMap(({ bearer }) => bearer ?? []) ?? [];
    return required.length === 0 ? [] : [{ route: `${method.toUpperCase()} ${path}`, required }];
  }),
);

const without = (...scopes: readonly string[]): Scope[] =>
  SCOPE_NAMES.filter((name) => !scopes.includes(name));

/** A user with a key for each list of scopes: `keyOf(name + index)`. */
const withScopes = (name: string, ...lists: readonly (readonly string[])[]): object =>
  user(name, {
    apiKeys: [
      { name: 'test', key: keyOf(name) },
      ...lists.map((scopes, index) => ({ name: `scopes ${index}`, key: keyOf(`${name}${index}x`), scopes })),
    ],
  });

/** The refusal of a key that lacks a scope, which it names. */
const lacks = (scope: string) => refusal('FORBIDDEN', expect.stringContaining(`${LACKS} ${scope}. `));

@Controller('forgotten')
class ForgottenController {
  @Get()
  get(): object {
    return { data: 'nobody said what a key needs for it' };
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

describe('Scopes of an API key', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Grace')] });
  });
  afterAll(() => service.stop());
  let users = 0;
  beforeEach(async () => {
    users += 1;
    await service.import({ users: [user(`Ada${users}`)] });
    ada = service.api.as(keyOf(`Ada${users}`));
  });
  afterEach(() => service.setNow(null));

  const create = (fields: object, by = ada): Promise<Reply> =>
    by.post('/api-keys', { name: 'made', ...fields });
  const made = async (fields: object, by = ada): Promise<{ id: string; key: string; as: Client }> => {
    const { status, body } = await create(fields, by);
    expect([status, body]).toMatchObject([201, {}]);
    return { ...body.data, as: service.api.as(body.data.key) };
  };

  describe('are given to it when it is created', () => {
    it.each([
      [
        'as listed, in the order of the catalog',
        ['questions', 'recordings:read'],
        ['recordings:read', 'questions'],
      ],
      ['once each', ['questions', 'questions'], ['questions']],
      ['by the preset read-only', ['read-only'], READ_ONLY],
      [
        'by a preset and others',
        ['shares:write', 'read-only', 'shares:read'],
        SCOPE_NAMES.filter((name) => name.endsWith(':read') || name === 'shares:write'),
      ],
      ['by the preset full: no limit', ['full'], null],
      ['by full, whatever else', ['questions', 'full'], null],
    ])('%s', async (_, scopes, expected) => {
      const { body } = await create({ scopes });
      expect(body.data.scopes).toEqual(expected);
      const { data } = (await ada.get('/api-keys')).body;
      expect(data).toContainEqual(expect.objectContaining({ id: body.data.id, scopes: expected }));
    });

    it('and shown by /me, with its expiry', async () => {
      const key = await made({ scopes: ['profile:read'], expires_at: '2098-01-31' });
      expect((await key.as.get('/me')).body.data.api_key).toMatchObject({
        id: key.id,
        scopes: ['profile:read'],
        expires_at: '2098-01-31T00:00:00.000Z',
      });
    });

    it('from the key that creates it, by default, and so is its expiry', async () => {
      expect((await create({})).body.data).toMatchObject({ scopes: null, expires_at: null });
      const narrow = await made({ scopes: ['keys:manage', 'questions'], expires_in: 3600 });
      const { body } = await create({}, narrow.as);
      const { scopes, expires_at } = (await ada.get(`/api-keys/${narrow.id}`)).body.data;
      expect(body.data).toMatchObject({ scopes, expires_at });
      expect(scopes).toEqual(['questions', 'keys:manage']);
    });

    it('to end after a time', async () => {
      service.setNow(new Date('2030-01-01T00:00:00Z'));
      const until = async (seconds: number) => (await create({ expires_in: seconds })).body.data.expires_at;
      expect(await until(60)).toBe('2030-01-01T00:01:00.000Z');
      expect(await until(3650 * 86_400)).toBe('2039-12-30T00:00:00.000Z');
    });

    it.each([
      ['more scopes', { scopes: ['keys:manage', 'recordings:write'] }, 'the scope recordings:write.'],
      ['no limit', { scopes: ['full'] }, 'the scope recordings:write.'],
      ['a later expiry', { expires_in: 7200 }, 'expires at 2030-01-01T01:00:00.000Z.'],
      ['a later expiry, in a millisecond', { expires_at: '2030-01-01T01:00:00.001Z' }, 'expires at 2030'],
    ])('but not %s than the key that creates it has', async (_, fields, named) => {
      service.setNow(new Date('2030-01-01T00:00:00Z'));
      const narrow = await made({ scopes: ['keys:manage', 'recordings:read'], expires_in: 3600 });
      const { status, body } = await create(fields, narrow.as);
      expect([status, body]).toEqual([403, refusal('FORBIDDEN', expect.stringContaining(named))]);
      expect((await ada.get('/api-keys')).body.data).toHaveLength(2);
      const within = { scopes: ['recordings:read'], expires_in: 3600 };
      expect((await create(within, narrow.as)).status).toBe(201);
    });

    it.each([
      [
        'an unknown scope, which names the known',
        { scopes: ['recordings:read', 'recordings'] },
        /^scopes\[1\]: must be one of recordings:read, recordings:write.*read-only, full; did you mean recordings:read\?$/,
      ],
      ['the name of a property of objects', { scopes: ['constructor'] }, /^scopes\[0\]: must be one of /],
      ['no scope', { scopes: [] }, /^scopes: must name at least one scope$/],
      ['text in place of a list', { scopes: 'read-only' }, /^scopes: must be a list of scopes$/],
      ['null in place of a list', { scopes: null }, /^scopes: must be a list of scopes$/],
      [
        'two expiries',
        { expires_at: '2098-01-31', expires_in: 60 },
        /^expires_at: must not be sent together with expires_in$/,
      ],
      ['an expiry in the past', { expires_at: '2020-01-31' }, /^expires_at: must be .* in the future$/],
      [
        'an expiry in less than a minute',
        { expires_in: 59 },
        /^expires_in: must be an integer from 60 to 315360000, in seconds$/,
      ],
      [
        'an expiry in more than ten years',
        { expires_in: 315_360_001 },
        /^expires_in: must be an integer from 60/,
      ],
    ])('but not %s', async (_, fields, named) => {
      const { status, body } = await create(fields);
      expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', expect.stringMatching(named))]);
    });
  });

  describe('open exactly the operations that declare them', () => {
    const requests = OPERATIONS.map(({ route, required }, index) => ({
      route,
      required,
      name: `Walker${index}n`,
    }));

    beforeAll(() =>
      service.import({
        users: requests.map(({ name, required }) =>
          // The scope operator contains users:manage.
          withScopes(
            name,
            required,
            ...required.map((scope) =>
              scope === 'users:manage' ? without(scope, 'operator') : without(scope),
            ),
          ),
        ),
      }),
    );

    it('of which every scope opens some', () => {
      // SCIM is not in the API document: `e2e/directory/access.e2e-spec.ts`.
      const documented = SCOPE_NAMES.filter((name) => name !== 'directory:manage').toSorted();
      expect([...new Set(OPERATIONS.flatMap(({ required }) => required))].toSorted()).toEqual(documented);
    });

    it.each(requests)('$route: $required', async ({ route, required, name }) => {
      const [method = '', path = ''] = route.split(' ');
      const send = (key: number) =>
        service.api.as(keyOf(`${name}${key}x`)).request(method, `/${path.replaceAll(/{\w+}/g, id())}`);
      for (const [index, scope] of required.entries()) {
        const { status, body } = await send(index + 1);
        expect([status, body]).toEqual([403, method === 'HEAD' ? '' : lacks(scope)]);
      }
      const { status, body } = await send(0);
      expect(status).not.toBe(401);
      expect(status).toBeLessThan(500);
      expect(JSON.stringify(body)).not.toContain(LACKS);
      if (method === 'HEAD') expect(status).not.toBe(403);
    });
  });

  it('are required even to learn what is wrong with a request', async () => {
    const narrow = await made({ scopes: ['questions'] });
    const { status, body } = await narrow.as.post('/recordings?unknown=1', '{"title":');
    expect([status, body]).toEqual([403, lacks('recordings:write')]);
  });

  it('are required of an operation for which nobody declared any: no key can use it', async () => {
    const options = { beside: service, modules: [ForgottenModule], generated: true };
    const extended = await startService({}, options);
    const headers = { authorization: `Bearer ${keyOf('Grace')}` };
    const { status } = await fetch(`${extended.api.base}/api/v1/forgotten`, { headers });
    await extended.stop();
    expect(status).toBe(500);
  });

  it('for deleting are required where many are deleted at once', async () => {
    const [mine, other] = [recording(`Ada${users}`), recording(`Ada${users}`)];
    await service.import({ recordings: [mine, other] });
    const bulk = { ids: [mine.id, other.id], mode: 'each' };
    const writer = await made({ scopes: ['recordings:write', 'recordings:read'] });
    const refused = await writer.as.post('/recordings/bulk', { ...bulk, action: 'delete' });
    expect([refused.status, refused.body]).toEqual([403, lacks('recordings:delete')]);
    expect((await writer.as.get('/recordings')).body.data).toHaveLength(2);
    const deleter = await made({ scopes: ['recordings:write', 'recordings:delete'] });
    expect((await deleter.as.post('/recordings/bulk', { ...bulk, action: 'delete' })).status).toBe(200);
    expect((await ada.get('/recordings')).body.data).toEqual([]);
  });

  it('of what webhooks are sent are required to say where, and to read it', async () => {
    const types = ['recording.*'];
    for (const scope of ['events:read', 'recordings:read', 'organizations:read']) {
      const { as: narrow } = await made({ scopes: without(scope) });
      for (const { status, body } of [
        await narrow.post('/webhooks', { url: 'https://hooks.example.com/', types }),
        await narrow.patch(`/webhooks/${id()}`, { types }),
        await narrow.get(`/webhooks/${id()}/deliveries/${id()}`),
      ])
        expect([status, body]).toEqual([403, lacks(scope)]);
    }
    const manager = await made({ scopes: ['webhooks:manage'] });
    expect((await manager.as.get('/webhooks')).body.data).toEqual([]);
  });

  it('permit nothing that the user may not do', async () => {
    const operator = await made({ scopes: ['operator'] });
    const { status, body } = await operator.as.get('/users');
    expect([status, body]).toEqual([403, refusal('FORBIDDEN', expect.not.stringContaining(LACKS))]);
  });

  it('make a key of an operator an ordinary one without the scope operator', async () => {
    const acme = organization('Acme', { plan: 'PRO', members: [member('Olga', 'OWNER')] });
    await service.import({
      users: [withScopes('Olga', without('operator'), [...without()])],
      organizations: [acme],
    });
    await service.dataSource.query('UPDATE users SET operator = true WHERE email = $1', [emailOf('Olga')]);
    const change = (key: string) =>
      service.api.as(key).patch(`/organizations/${acme.id}`, { plan: 'ENTERPRISE' });
    const isOperator = async (key: string) => (await service.api.as(key).get('/me')).body.data.is_operator;
    const [ordinary, all] = [keyOf('Olga0x'), keyOf('Olga1x')];
    expect([await isOperator(ordinary), await isOperator(all), await isOperator(keyOf('Olga'))]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await change(ordinary)).status).toBe(403);
    expect((await change(all)).status).toBe(200);
  });

  it('are required by the page of an invitation', async () => {
    const acme = organization('Beta', { members: [member('Grace', 'OWNER')] });
    await service.import({
      users: [withScopes('Eve', without('organizations:manage'), ['organizations:manage'])],
      organizations: [acme],
    });
    const invited = await service.api
      .as(keyOf('Grace'))
      .post(`/organizations/${acme.id}/invitations`, { email: emailOf('Eve'), role: 'VIEWER' });
    const join = async (key: string) => {
      const address = `${service.api.base}/join/${invited.body.data.invite_token}`;
      const headers = { origin: service.api.base };
      const page = await fetch(address, { method: 'POST', headers, body: new URLSearchParams({ key }) });
      return [page.status, (await page.text()).includes(`${LACKS} organizations:manage`)];
    };
    expect(await join(keyOf('Eve0x'))).toEqual([403, true]);
    expect(await join(keyOf('Eve1x'))).toEqual([200, false]);
  });

  it('are asked for again by a stream of events, which ends at once when the key has lost it', async () => {
    const reader = await made({ scopes: ['events:read', 'profile:read'] });
    const stream = await OpenStream.open(service.api, reader.key);
    expect(stream.response.status).toBe(200);
    await ada.patch(`/api-keys/${reader.id}`, { name: 'renamed' });
    await ada.patch(`/api-keys/${reader.id}`, { scopes: ['profile:read'] });
    await stream.until(({ isOpen }) => !isOpen, 10_000);
    expect(stream.messages.at(-1)).toEqual({ event: 'end', data: lacks('events:read') });
  });
});
