import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ID_FIELDS } from '../../../src/modules/external-ids/external-ids.service.js';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { done, outcome, type Client, type Reply } from '../../support/client.js';
import { allPublished } from '../../support/events.js';
import { startService, type TestService } from '../../support/service.js';

const PERSONAL = { title: 'Sync', media: 'none' };
const refusal = ({ status, body }: Reply): [number, string, string] => [
  status,
  body.error.code,
  body.error.message,
];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('external ids and metadata', () => {
  let service: TestService;
  let ada: Client;
  let eve: Client;
  const plans = folder('Plans', { restrictedTo: ['ada@acme.test'] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Eve', 'EDITOR')],
    folders: [plans],
  });
  const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    service = await startService({ BIN_DAYS: '30' }, { worker: true });
    await service.import({
      users: [user('Ada'), user('Eve'), user('Zoe')],
      organizations: [acme, beta],
      recordings: [
        recording('Ada', { title: 'hidden', organization: 'Acme', folder: 'Plans', externalId: 'HIDDEN' }),
      ],
    });
    ada = service.api.as(keyOf('Ada'));
    eve = service.api.as(keyOf('Eve'));
  });
  afterAll(() => service.stop());

  const make = async (fields: object, api = ada): Promise<string> =>
    (await done(api.post('/recordings', { ...PERSONAL, ...fields }))).id;
  const detail = (path: string, api = ada) => done(api.get(`/recordings/${path}`));
  const idsOf = async (query: string, api = ada): Promise<string[]> =>
    (await done(api.get(`/recordings?${query}`))).map((item: { id: string }) => item.id);

  describe('of recordings', () => {
    it('are what was sent, in detail and list, and null and empty otherwise', async () => {
      const one = await make({ external_id: ' CRM-1 ', metadata: { crm: '4711', Stage: 'won' } });
      const plain = await make({});
      expect(await detail(one)).toMatchObject({
        externalId: 'CRM-1',
        metadata: { crm: '4711', Stage: 'won' },
      });
      expect(await detail(plain)).toMatchObject({ externalId: null, metadata: {} });
      const listed = await done(ada.get('/recordings?limit=2'));
      expect(listed).toMatchObject([
        { id: plain, externalId: null, metadata: {} },
        { id: one, externalId: 'CRM-1', metadata: { crm: '4711', Stage: 'won' } },
      ]);
    });

    it('stand for the id in paths, queries and bodies', async () => {
      const one = await make({ external_id: 'a/b ü' });
      const path = `ext:${encodeURIComponent('a/b ü')}`;
      expect((await detail(path)).id).toBe(one);
      await done(ada.patch(`/recordings/${path}`, { title: 'Renamed' }));
      expect((await detail(path)).title).toBe('Renamed');
      await done(ada.patch(`/organizations/${acme.id}`, { external_id: 'customer' }));
      await done(ada.patch(`/organizations/ext:customer/folders/${plans.id}`, { external_id: 'board' }));
      const placed = await make({ organization_id: 'ext:customer', folder_id: 'ext:board' });
      expect(await detail(placed)).toMatchObject({ organizationId: acme.id, folderId: plans.id });
      expect(await idsOf('organization_id=ext:customer&folder_id=ext%3Aboard')).toContain(placed);
      const moved = await done(
        ada.post('/recordings/bulk', { ids: ['ext:a/b ü'], action: 'move', organization_id: 'ext:customer' }),
      );
      expect(moved.results).toEqual([{ id: one, success: true, error: null }]);
      await done(ada.delete(`/recordings/${path}`));
      expect((await ada.get(`/recordings/${one}`)).status).toBe(404);
    });

    it('of nobody, or of a recording that the caller does not see, are answered like unknown ids', async () => {
      const zoe = service.api.as(keyOf('Zoe'));
      expect(await detail('ext:HIDDEN')).toMatchObject({ title: 'hidden' });
      for (const api of [eve, zoe])
        expect(refusal(await api.get('/recordings/ext:HIDDEN'))).toEqual([
          404,
          'RECORDING_NOT_FOUND',
          'Recording not found. You see none with the external id "HIDDEN".',
        ]);
      expect(refusal(await ada.get('/recordings/ext:nobody'))[2]).toBe(
        'Recording not found. You see none with the external id "nobody".',
      );
      const bulk = { ids: ['ext:HIDDEN', 'ext:nobody'], action: 'delete', mode: 'each' };
      expect((await done(eve.post('/recordings/bulk', bulk))).results).toMatchObject([
        { id: 'ext:HIDDEN', error: { code: 'RECORDING_NOT_FOUND' } },
        { id: 'ext:nobody', error: { code: 'RECORDING_NOT_FOUND' } },
      ]);
      expect(outcome(await ada.get(`/recordings/ext:${'x'.repeat(201)}`))).toEqual([
        404,
        'RECORDING_NOT_FOUND',
      ]);
      const colleague = `/organizations/${acme.id}/members/ext:nobody`;
      expect(outcome(await ada.delete(colleague))).toEqual([404, 'MEMBER_NOT_FOUND']);
      expect(await idsOf(`organization_id=${acme.id}&folder_id=ext:nothing`)).toEqual([]);
    });

    it('are unique in an organization, and among the personal recordings of a user', async () => {
      const first = await make({ external_id: 'ONE' });
      expect(refusal(await ada.post('/recordings', { ...PERSONAL, external_id: 'ONE' }))).toEqual([
        409,
        'CONFLICT',
        `external_id: "ONE" is that of the recording ${first}.`,
      ]);
      const inAcme = await make({ external_id: 'ONE', organization_id: acme.id });
      const inBeta = await make({ external_id: 'ONE', organization_id: beta.id });
      await make({ external_id: 'ONE' }, eve);
      // Several: in which of them is for the caller to say.
      const ambiguous = refusal(await ada.get('/recordings/ext:ONE'));
      expect(ambiguous.slice(0, 2)).toEqual([400, 'VALIDATION_ERROR']);
      for (const one of [first, inAcme, inBeta]) expect(ambiguous[2]).toContain(one);
      const other = await make({ organization_id: acme.id });
      expect(refusal(await ada.patch(`/recordings/${other}`, { external_id: 'ONE' }))[2]).toBe(
        `external_id: "ONE" is that of the recording ${inAcme}.`,
      );
      expect(refusal(await ada.patch(`/recordings/${first}`, { organization_id: acme.id }))[2]).toBe(
        `external_id: "ONE" is that of the recording ${inAcme}.`,
      );
      const bulk = { ids: [first, inBeta], action: 'move', organization_id: acme.id, mode: 'each' };
      expect((await done(ada.post('/recordings/bulk', bulk))).failed).toBe(2);
      // Once it is free, one of them can be moved there with it; the other is refused and names the first.
      await done(ada.patch(`/recordings/${inAcme}`, { external_id: null }));
      const { results } = await done(ada.post('/recordings/bulk', bulk));
      expect(results[0].success).toBe(true);
      expect(results[1].error.message).toBe(`external_id: "ONE" is that of the recording ${first}.`);
    });

    it('does not name a recording that the caller does not see', async () => {
      const { body } = await eve.post('/recordings', {
        ...PERSONAL,
        organization_id: acme.id,
        external_id: 'HIDDEN',
      });
      expect(body.error).toEqual({
        code: 'CONFLICT',
        message: 'external_id: "HIDDEN" is that of another recording there.',
      });
    });

    it('of whole lists take as many statements as one, in every field that takes ids', async () => {
      const { manager } = service.dataSource;
      const query = manager.query.bind(manager);
      let statements = 0;
      manager.query = (...given: Parameters<typeof query>) => {
        statements += 1;
        return query(...given);
      };
      const ids = Array.from({ length: 1_000 }, (_, n) => `ext:bomb-${n}`);
      const body = Object.fromEntries(Object.keys(ID_FIELDS).map((name) => [name, ids]));
      expect(outcome(await ada.post('/recordings', { ...PERSONAL, ...body }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect(statements).toBeLessThanOrEqual(Object.keys(body).length);
      manager.query = query;
    });

    it('go to one of two requests at once', async () => {
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => ada.post('/recordings', { ...PERSONAL, external_id: 'RACE' })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    });

    it('are free while the recording is in the bin, and needed to restore it', async () => {
      const one = await make({ external_id: 'BIN' });
      await done(ada.delete(`/recordings/${one}`));
      const next = await make({ external_id: 'BIN' });
      expect(outcome(await ada.post(`/deleted-recordings/${one}/restore`))).toEqual([409, 'CONFLICT']);
      await done(ada.patch(`/recordings/${next}`, { external_id: null }));
      await done(ada.post(`/deleted-recordings/${one}/restore`));
      expect((await detail('ext:BIN')).id).toBe(one);
    });

    it('are merged by PATCH, which raises the revision and is an event', async () => {
      const one = await make({ external_id: 'EVENT', metadata: { keep: '1', drop: '2' } });
      const { revision } = await detail(one);
      await done(ada.patch(`/recordings/${one}`, { title: 'New', metadata: { drop: null, add: '3' } }));
      expect(await detail(one)).toMatchObject({ revision: revision + 1, metadata: { keep: '1', add: '3' } });
      await allPublished(service);
      const events = await done(ada.get(`/events?recording_id=ext:EVENT`));
      expect(events.at(-1)).toMatchObject({
        type: 'recording.updated',
        data: {
          changes: { fields: ['metadata', 'title'] },
          recording: { externalId: 'EVENT', metadata: { keep: '1', add: '3' } },
        },
      });
    });

    it('filter lists and searches, alone and together with others', async () => {
      const both = await make({ title: 'quokka', external_id: 'F-1', metadata: { team: 'red', tier: '1' } });
      const red = await make({ title: 'quokka', metadata: { team: 'red' } });
      await make({ title: 'quokka', metadata: { team: 'Red' } });
      expect(await idsOf('external_id=F-1')).toEqual([both]);
      expect(await idsOf('metadata[team]=red')).toEqual([red, both]);
      expect(await idsOf('metadata%5Bteam%5D=red&metadata[tier]=1&search=quo&status=COMPLETED')).toEqual([
        both,
      ]);
      expect(await idsOf('metadata[team]=green')).toEqual([]);
      expect(await idsOf('metadata[team]=red', eve)).toEqual([]);
      const found = await done(ada.get('/recordings/search?q=quokka&metadata[tier]=1'));
      expect(found.map((item: { id: string }) => item.id)).toEqual([both]);
    });

    it('come with tus, whose metadata is JSON', async () => {
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '9' };
      const fields = `title ${base64('Tus')},external_id ${base64('TUS-1')},metadata ${base64('{"crm":"1"}')}`;
      const { headers: sent, status } = await ada.post('/uploads', undefined, {
        headers: { ...headers, 'upload-metadata': fields },
      });
      expect(status).toBe(201);
      const one = sent.get('location')!.split('/').at(-1)!;
      expect(await detail(one)).toMatchObject({ externalId: 'TUS-1', metadata: { crm: '1' } });
      const wrong = await ada.post('/uploads', undefined, {
        headers: { ...headers, 'upload-metadata': `title ${base64('x')},metadata ${base64('{"crm":1}')}` },
      });
      expect(refusal(wrong).slice(1)).toEqual([
        'VALIDATION_ERROR',
        'Upload-Metadata: metadata, as JSON, must have text of at most 500 characters for the key "crm"',
      ]);
    });
  });

  it('are those of organizations, folders and service accounts, too', async () => {
    const made = await done(
      ada.post('/organizations', { name: 'C', external_id: 'C-1', metadata: { a: '1' } }),
    );
    expect(made).toMatchObject({ external_id: 'C-1', metadata: { a: '1' } });
    const again = refusal(await ada.post('/organizations', { name: 'D', external_id: 'C-1' }));
    expect(again).toEqual([409, 'CONFLICT', `external_id: "C-1" is that of the organization ${made.id}.`]);
    // Another owner may have the same.
    await done(service.api.as(keyOf('Zoe')).post('/organizations', { name: 'Z', external_id: 'C-1' }));
    await done(ada.patch('/organizations/ext:C-1', { metadata: { a: null, b: '2' } }));
    expect((await done(ada.get('/organizations/ext:C-1'))).metadata).toEqual({ b: '2' });
    const board = await done(
      ada.post('/organizations/ext:C-1/folders', { name: 'Board', external_id: 'F', metadata: { x: 'y' } }),
    );
    expect(board).toMatchObject({ external_id: 'F', metadata: { x: 'y' } });
    expect(
      refusal(await ada.post('/organizations/ext:C-1/folders', { name: 'E', external_id: 'F' }))[2],
    ).toBe(`external_id: "F" is that of the folder ${board.id}.`);
    await done(ada.delete('/organizations/ext:C-1/folders/ext:F'));
    await done(ada.post('/organizations/ext:C-1/folders', { name: 'E', external_id: 'F' }));
    const path = '/organizations/ext:C-1/service-accounts';
    const account = await done(
      ada.post(path, { name: 'sync', role: 'EDITOR', external_id: 'S', metadata: { k: 'v' } }),
    );
    expect(account).toMatchObject({ external_id: 'S', metadata: { k: 'v' } });
    expect((await done(ada.patch(`${path}/ext:S`, { metadata: { l: 'w' } }))).metadata).toEqual({
      k: 'v',
      l: 'w',
    });
    const log = await done(ada.get('/organizations/ext:C-1/audit-log'));
    expect(log.map((entry: { type: string; changes: object }) => [entry.type, entry.changes])).toContainEqual(
      ['organization.updated', { fields: ['metadata'] }],
    );
  });

  it.each([
    [
      'an empty one',
      { external_id: '' },
      'external_id: must be a string of 1 to 200 characters after trimming',
    ],
    [
      'a long one',
      { external_id: 'x'.repeat(201) },
      'external_id: must be a string of 1 to 200 characters after trimming',
    ],
    ['a list', { metadata: [] }, 'metadata: must be an object of at most 50 keys of 1 to 40 characters'],
    [
      'a key of 41 characters',
      { metadata: { ['k'.repeat(41)]: 'v' } },
      `metadata: has the key "${'k'.repeat(40)}`,
    ],
    [
      'a value of 501 characters',
      { metadata: { k: 'v'.repeat(501) } },
      'metadata: must have text of at most 500 characters for the key "k"',
    ],
    [
      'a NUL character',
      { metadata: { k: 'NUL \0' } },
      'metadata: must have text of at most 500 characters for the key "k"',
    ],
    ['depth', { metadata: { k: { deep: 1 } } }, 'metadata: must be an object of at most 50 keys'],
    [
      'null at creation',
      { metadata: { k: null } },
      'metadata: must have text of at most 500 characters for the key "k"',
    ],
    [
      'a bomb of keys',
      { metadata: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 'v'])) },
      'metadata: must have at most 50 keys',
    ],
  ])('refuses %s', async (_, fields, message) => {
    const [status, code, said] = refusal(await ada.post('/recordings', { ...PERSONAL, ...fields }));
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(said).toContain(message);
  });

  it('refuses a PATCH after which there would be too many keys, and changes nothing', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']));
    const one = await make({ metadata });
    const said = refusal(await ada.patch(`/recordings/${one}`, { title: 'No', metadata: { more: '1' } }));
    expect(said).toEqual([
      400,
      'VALIDATION_ERROR',
      'metadata: would have 51 keys with those that there are, and must have at most 50; null removes one',
    ]);
    expect(await detail(one)).toMatchObject({ title: 'Sync', metadata });
  });

  it.each(['metadata=x', 'metadata[a]=1&metadata[a]=2', 'metadata[]=1', 'metadata[__proto__]=1'])(
    'refuses the filter %s',
    async (query) => {
      expect(outcome(await ada.get(`/recordings?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
