import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  keyOf,
  member,
  organization,
  ownDeletion,
  recording,
  transcript,
  user,
} from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { OpenStream } from '../../support/event-stream.js';
import { allPublished } from '../../support/events.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const DAY = 86_400;
const DAYS = 90;
const HOOK = { url: 'https://hooks.example.com/x', types: ['*'] };
const TOO_LONG = refusal(
  'FORBIDDEN',
  'This organization accepts only API keys that expire at most 90 days after they are created. Rotate this key with expires_in, or create one that expires sooner.',
);

describe('an organization that limits how long API keys work', () => {
  let service: TestService;
  const board = folder('Board');
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Olga', 'EDITOR')],
    folders: [board],
  });
  const beta = organization('Beta', { members: [member('Grace', 'OWNER')] });
  const text = { transcript: transcript(2) };
  const inAcme = recording('Grace', { ...text, organization: 'Acme', folder: 'Board' });
  const inBeta = recording('Grace', { ...text, organization: 'Beta' });
  const personal = recording('Grace', text);
  const path = `/organizations/${acme.id}`;
  /** With a key that the organization accepts. */
  let ada: Client;
  /** With one that never expires, like that of Olga. */
  let grace: Client;

  const limit = (days: number | null, by = ada): Promise<Reply> => by.patch(path, { api_key_max_days: days });
  const make = async (fields: object, by = grace): Promise<{ id: string; key: string; as: Client }> => {
    const { status, body } = await by.post('/api-keys', { name: 'robot', ...fields });
    expect([status, body.error]).toEqual([201, undefined]);
    return { ...body.data, as: service.api.as(body.data.key) };
  };
  const ids = async (client: Client, list: string): Promise<string[]> => {
    const { status, body } = await client.get(list);
    expect([list, status]).toEqual([list, 200]);
    return body.data.map((one: { readonly id: string }) => one.id).sort();
  };

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({
      users: [user('Ada'), user('Grace'), user('Olga')],
      organizations: [acme, beta],
      recordings: [inAcme, inBeta, personal],
    });
    grace = service.api.as(keyOf('Grace'));
    ada = (await make({ expires_in: 60 * DAY }, service.api.as(keyOf('Ada')))).as;
  });
  beforeEach(async () => {
    expect((await limit(DAYS)).status).toBe(200);
  });
  afterEach(() => service.setNow(null));
  afterAll(() => service.stop());

  it('is in refused_by, and not in organizations, of the keys that would reach it otherwise', async () => {
    await limit(null);
    const ofBoth = await make({ organizations: [acme.id, beta.id] });
    const ofBeta = await make({ organizations: [beta.id] });
    const shown = async ({ as }: { readonly as: Client }) => {
      const { organizations, refused_by } = (await as.get('/me')).body.data.api_key;
      return [organizations.toSorted(), refused_by];
    };
    expect(await shown(ofBoth)).toEqual([[acme.id, beta.id].toSorted(), []]);
    await limit(DAYS);
    expect(await shown(ofBoth)).toEqual([[beta.id], [acme.id]]);
    expect(await shown(ofBeta)).toEqual([[beta.id], []]);
  });

  it('says so in its details alone; an OWNER changes it, and the audit log has each change', async () => {
    const limits = async () => (await ada.get(path)).body.data.api_key_max_days;
    const [change, ...more] = await changesOf(service.dataSource, async () => {
      expect((await limit(100)).body.data.api_key_max_days).toBe(100);
      await limit(100);
    });
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      type: 'organization.updated',
      organization_id: acme.id,
      target_id: acme.id,
      details: { fields: ['api_key_max_days'] },
    });
    expect((await ada.get(`${path}/audit-log?limit=1`)).body.data).toMatchObject([
      { type: 'organization.updated', changes: { fields: ['api_key_max_days'] } },
    ]);
    const [item] = (await ada.get('/organizations')).body.data;
    expect(item.id).toBe(acme.id);
    expect(item).not.toHaveProperty('api_key_max_days');
    for (const days of [0, 3651, 1.5, '90']) {
      const reply = await ada.patch(path, { api_key_max_days: days });
      expect([reply.status, reply.body.error.message]).toEqual([
        400,
        expect.stringContaining('api_key_max_days: must be'),
      ]);
    }
    const { as: admin } = await make({ expires_in: DAY });
    expect(outcome(await limit(null, admin))).toEqual([403, 'FORBIDDEN']);
    expect(await limits()).toBe(100);
    expect((await limit(null)).body.data.api_key_max_days).toBeNull();
    expect(await limits()).toBeNull();
    expect((await grace.get(`/organizations/${beta.id}`)).body.data.api_key_max_days).toBeNull();
  });

  it('does not lock its OWNER out', async () => {
    await limit(null);
    const full = service.api.as(keyOf('Ada'));
    for (const [client, days] of [
      [full, 3650],
      [ada, 59],
    ] as const) {
      const refused = await client.patch(path, { name: 'Renamed', api_key_max_days: days });
      expect([refused.status, refused.body]).toEqual([
        409,
        refusal('CONFLICT', expect.stringContaining(`does not expire within ${days} days of its creation`)),
      ]);
    }
    expect((await ada.get(path)).body.data).toMatchObject({ name: 'Acme', api_key_max_days: null });
    expect((await limit(60)).status).toBe(200);
  });

  it('is out of reach of a key that never expires, in every list, total and search', async () => {
    for (const list of [
      '/recordings?limit=100',
      '/recordings/search?q=weekly&limit=100',
      '/recordings?search=weekly',
    ]) {
      expect(await ids(grace, list)).toEqual([inBeta.id, personal.id].sort());
      expect((await grace.get(list)).body.pagination.total).toBe(2);
    }
    const { body } = await grace.post('/questions', { question: 'What was said?' });
    const cited = body.data.citations.map((one: { recordingId: string }) => one.recordingId);
    expect(cited).not.toContain(inAcme.id);
    expect(await ids(grace, '/organizations')).toEqual([beta.id]);
    expect((await grace.get('/me')).body.data.api_key.refused_by).toEqual([acme.id]);
    expect((await ada.get('/me')).body.data.api_key.refused_by).toEqual([]);
    const own = (await grace.get('/me/audit-log?limit=100')).body.data;
    const places = own.map((one: { organization_id: string | null }) => one.organization_id);
    expect(places).toContain(null);
    expect(places).toContain(beta.id);
    expect(places).not.toContain(acme.id);
  });

  it('hides its recordings from it, as if they were absent', async () => {
    for (const part of ['', '/transcript', '/share-links']) {
      const { status, body } = await grace.get(`/recordings/${inAcme.id}${part}`);
      expect([part, status, body.error.code]).toEqual([part, 404, 'RECORDING_NOT_FOUND']);
    }
    const bulk = await grace.post('/recordings/bulk', { ids: [personal.id, inAcme.id], action: 'delete' });
    expect(outcome(bulk)).toEqual([404, 'RECORDING_NOT_FOUND']);
    expect((await grace.get(`/recordings/${personal.id}`)).status).toBe(200);
  });

  it('says why to its members where they name it', async () => {
    for (const [method, where, body] of [
      ['GET', path],
      ['GET', `${path}/members`],
      ['GET', `${path}/folders`],
      ['GET', `${path}/invitations`],
      ['GET', `${path}/audit-log`],
      ['GET', `/recordings?organization_id=${acme.id}`],
      ['GET', `/recordings?organization_id=${acme.id.toUpperCase()}&folder_id=${board.id}`],
      ['GET', `/recordings/search?q=weekly&organization_id=${acme.id}`],
      ['GET', `/events?organization_id=${acme.id}`],
      ['GET', `/webhooks?organization_id=${acme.id}`],
      ['POST', '/recordings', { title: 'x', organization_id: acme.id }],
      ['PATCH', `/recordings/${personal.id}`, { organization_id: acme.id }],
      ['POST', `${path}/folders`, { name: 'x' }],
      ['POST', '/webhooks', { ...HOOK, organization_id: acme.id }],
      ['DELETE', `${path}/members/me`],
    ] as const) {
      const reply = await grace.request(method, where, { body });
      expect([method, where, reply.status, reply.body]).toEqual([method, where, 403, TOO_LONG]);
    }
    const toBeta = (await make({ organizations: [beta.id] })).as;
    expect(outcome(await toBeta.get(path))).toEqual([404, 'ORGANIZATION_NOT_FOUND']);
  });

  it('keeps it from what concerns all organizations of its user', async () => {
    await limit(null);
    const hook = (await grace.post('/webhooks', HOOK)).body.data.id;
    await limit(DAYS);
    for (const [method, where, body] of [
      ['POST', '/webhooks', HOOK],
      ['DELETE', ownDeletion(emailOf('Grace'))],
    ] as const) {
      const reply = await grace.request(method, where, { body });
      expect([reply.status, reply.body.error.message]).toEqual([
        403,
        expect.stringContaining('Some of your organizations do not accept this API key or session'),
      ]);
    }
    expect(outcome(await grace.get(`/webhooks/${hook}`))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect((await grace.get('/webhooks')).body.data).toEqual([]);
    expect((await grace.post('/recordings', { title: 'x' })).status).toBe(201);
    await limit(null);
    expect((await grace.delete(`/webhooks/${hook}`)).status).toBe(200);
  });

  it('keeps an operator who is a member from acting on it with such a key', async () => {
    await service.dataSource.query('UPDATE users SET operator = (name = $1)', ['Olga']);
    const olga = service.api.as(keyOf('Olga'));
    for (const reply of [await olga.get(path), await olga.patch(path, { plan: 'PRO' })])
      expect([reply.status, reply.body]).toEqual([403, TOO_LONG]);
    expect((await olga.get(`/organizations/${beta.id}`)).status).toBe(200);
    expect((await olga.get('/users')).status).toBe(200);
  });

  it('accepts a key that expires in exactly as many days, and not a millisecond later', async () => {
    const now = Date.now() + 1_000;
    service.setNow(new Date(now));
    const lasting = async (ms: number): Promise<number> => {
      const key = await make({ expires_at: new Date(now + ms).toISOString() });
      return (await key.as.get(path)).status;
    };
    expect(await lasting(DAYS * DAY * 1_000)).toBe(200);
    expect(await lasting(DAYS * DAY * 1_000 + 1)).toBe(403);
  });

  it('accepts the key that a rotation with expires_in makes', async () => {
    const old = await make({});
    expect((await old.as.get(path)).status).toBe(403);
    const { status, body } = await old.as.post(`/api-keys/${old.id}/rotate`, { expires_in: 30 * DAY });
    expect(status).toBe(201);
    const rotated = service.api.as(body.data.key);
    expect((await rotated.get(path)).status).toBe(200);
    expect((await rotated.get(`/recordings/${inAcme.id}`)).status).toBe(200);
    expect(await ids(rotated, '/organizations')).toEqual([acme.id, beta.id].sort());
  });

  it('is in reach again of all keys once it lifts the limit, or raises it', async () => {
    const year = (await make({ expires_in: 365 * DAY })).as;
    const reached = async (): Promise<number[]> =>
      Promise.all([grace, year].map(async (client) => (await client.get(`/recordings/${inAcme.id}`)).status));
    expect(await reached()).toEqual([404, 404]);
    await limit(365);
    expect(await reached()).toEqual([404, 200]);
    await limit(null);
    expect(await reached()).toEqual([200, 200]);
  });

  it('ends what streams have of it, at once, and gives it back', async () => {
    await limit(null);
    const [all, ofAcme] = await Promise.all(
      ['', `?organization_id=${acme.id}`].map((query) => OpenStream.open(grace, keyOf('Grace'), query)),
    );
    await ada.patch(path, { name: 'Acme 1' });
    for (const stream of [all, ofAcme])
      await stream!.until(({ types }) => types.includes('organization.updated'));
    await limit(DAYS);
    await ofAcme!.until(({ isOpen }) => !isOpen);
    expect(ofAcme!.events.at(-1)).toMatchObject({ event: 'end', data: TOO_LONG });
    await allPublished(service);
    const before = all!.events.length;
    await ada.patch(path, { name: 'Acme 2' });
    await ada.patch(`/recordings/${inAcme.id}`, { title: 'Unseen' });
    await grace.patch(`/recordings/${inBeta.id}`, { title: 'Weekly, seen' });
    const seen = () => all!.events.slice(before).map(({ data }) => data.data.organization_id);
    await eventually(async () => expect(seen()).toContain(beta.id));
    await allPublished(service);
    expect(seen()).not.toContain(acme.id);
    const { body } = await grace.get('/events?limit=100');
    expect(JSON.stringify(body)).not.toContain(acme.id);
    await limit(null);
    await ada.patch(path, { name: 'Acme' });
    await eventually(async () => expect(seen()).toContain(acme.id));
    all!.close();
  });

  it('is seen by no request that begins after the reply to the change', async () => {
    for (let round = 0; round < 3; round += 1) {
      await limit(null);
      const asked = Array.from({ length: 20 }, (_, index) =>
        grace.get(index % 2 === 0 ? path : `/recordings/${inAcme.id}`),
      );
      const [changed, ...replies] = await Promise.all([limit(DAYS), ...asked]);
      expect(changed.status).toBe(200);
      for (const [index, { status }] of replies.entries())
        expect([200, index % 2 === 0 ? 403 : 404]).toContain(status);
      const later = await Promise.all([grace.get(path), grace.get(`/recordings/${inAcme.id}`)]);
      expect(later.map(({ status }) => status)).toEqual([403, 404]);
    }
  });

  describe('refuses, with 400,', () => {
    const problem = (by: string): string =>
      `expires_at: must be at most 90 days after the creation of the key for the organization ${by}`;
    const expectProblem = ({ status, body }: Reply): void => {
      expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', problem(acme.id))]);
    };

    it('a new key for it that works too long, but not one for all organizations', async () => {
      const create = (fields: object): Promise<Reply> => grace.post('/api-keys', { name: 'x', ...fields });
      const organizations = [beta.id, acme.id];
      expectProblem(await create({ organizations }));
      expectProblem(await create({ organizations, expires_in: DAYS * DAY + 1 }));
      expectProblem(await create({ folders: [board.id], expires_at: '2999-01-01' }));
      for (const fields of [
        { organizations, expires_in: DAYS * DAY },
        { folders: [board.id], expires_in: 60 },
        { organizations: [beta.id] },
        {},
      ])
        expect((await create(fields)).status).toBe(201);
    });

    it('a rotation that would make one, and a key that is narrowed to it', async () => {
      await limit(null);
      const ofBoth = await make({ organizations: [acme.id, beta.id] });
      const full = await make({});
      await limit(DAYS);
      expectProblem(await grace.post(`/api-keys/${ofBoth.id}/rotate`, {}));
      expectProblem(await grace.patch(`/api-keys/${ofBoth.id}`, { organizations: [acme.id] }));
      expectProblem(await grace.patch(`/api-keys/${full.id}`, { folders: [board.id] }));
      const rename = { name: 'renamed', expires_in: 200 * DAY };
      expect((await grace.patch(`/api-keys/${ofBoth.id}`, rename)).status).toBe(200);
      const narrow = { organizations: [acme.id], expires_in: 60 };
      expect((await grace.patch(`/api-keys/${full.id}`, narrow)).status).toBe(200);
      expect((await grace.post(`/api-keys/${ofBoth.id}/rotate`, { expires_in: 60 })).status).toBe(201);
    });
  });
});
