import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  id,
  keyOf,
  member,
  organization,
  ownDeletion,
  recording,
  transcript,
  user,
} from '../../factories/workspace.js';
import { done, outcome, refusal, type Client } from '../../support/client.js';
import { OpenStream } from '../../support/event-stream.js';
import { allPublished } from '../../support/events.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const HOOK = { url: 'https://hooks.example.com/x', types: ['*'] };

describe('an API key that is limited', () => {
  let service: TestService;
  const ada = user('Ada');
  const board = folder('Board');
  const sales = folder('Sales');
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
    folders: [board, sales],
  });
  const beta = organization('Beta', { members: [member('Ada', 'OWNER')], folders: [folder('Other')] });
  const theirs = folder('Theirs');
  const ofStrangers = organization('Strangers', {
    members: [member('Grace', 'OWNER')],
    folders: [theirs],
  });
  const text = { transcript: transcript(2) };
  const inBoard = recording('Ada', { ...text, organization: 'Acme', folder: 'Board' });
  const inSales = recording('Grace', { ...text, organization: 'Acme', folder: 'Sales' });
  const inAcme = recording('Ada', { ...text, organization: 'Acme' });
  const inBeta = recording('Ada', { ...text, organization: 'Beta' });
  const personal = recording('Ada', text);
  const all = [inBoard, inSales, inAcme, inBeta, personal];
  /** The unlimited key, one that reaches Acme, and one that reaches its folder Board. */
  let full: Client;
  let ofAcme: Client;
  let ofBoard: Client;

  const create = async (limits: object, client = full): Promise<{ id: string; key: string }> => {
    const { status, body } = await client.post('/api-keys', { name: 'limited', ...limits });
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data;
  };
  const keyWith = async (limits: object): Promise<Client> => service.api.as((await create(limits)).key);
  const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map((one) => one.id).sort();

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({
      users: [ada, user('Grace')],
      organizations: [acme, beta, ofStrangers],
      recordings: all,
    });
    full = service.api.as(keyOf('Ada'));
    ofAcme = await keyWith({ organizations: [acme.id] });
    ofBoard = await keyWith({ folders: [board.id] });
  });
  afterAll(() => service.stop());

  it('says what it reaches; folders alone limit it to their organizations', async () => {
    const { body } = await ofBoard.get('/me');
    expect(body.data.api_key).toMatchObject({ organizations: [acme.id], folders: [board.id], scopes: null });
    const listed = (await full.get('/api-keys')).body.data;
    expect(listed).toContainEqual(
      expect.objectContaining({ organizations: [acme.id], folders: null, addresses: null }),
    );
  });

  describe('is refused', () => {
    it.each([
      ['no organization', { organizations: [] }, 'organizations: must contain at least 1 id'],
      [
        'an unknown organization',
        { organizations: [id()] },
        'organizations: must be ids of organizations that the user is a member of',
      ],
      ["a stranger's organization", { organizations: [ofStrangers.id] }, `not ${ofStrangers.id}`],
      ['no id', { organizations: ['x'] }, 'not x'],
      ['no folder', { folders: [] }, 'folders: must contain at least 1 id'],
      ["a stranger's folder", { folders: [theirs.id] }, 'folders: must be ids of folders'],
      [
        'a folder of another organization',
        { organizations: [beta.id], folders: [board.id] },
        `folders of these organizations, not ${board.id}`,
      ],
      ['no address', { addresses: [] }, 'addresses: must be a list of 1 to 100 IP addresses or ranges'],
      ['no range', { addresses: ['10.0.0.0/33'] }, 'addresses[0]: must be an IP address or a range such as'],
      ['a name', { addresses: ['localhost'] }, 'addresses[0]: must be an IP address'],
    ])('with %s', async (_, limits, message) => {
      const reply = await full.post('/api-keys', { name: 'x', ...limits });
      expect([reply.status, reply.body]).toEqual([
        400,
        refusal('VALIDATION_ERROR', expect.stringContaining(message)),
      ]);
    });

    it('if it would reach further than the key that creates it', async () => {
      for (const [client, limits, why] of [
        [ofAcme, { organizations: [beta.id] }, 'fewer organizations'],
        [ofBoard, { folders: [sales.id] }, 'fewer folders'],
        [ofAcme, { organizations: [acme.id], folders: [board.id] }, null],
      ] as const) {
        const { status, body } = await client.post('/api-keys', { name: 'x', ...limits });
        expect([status, body.error]).toEqual(
          why ? [403, { code: 'FORBIDDEN', message: expect.stringContaining(why) }] : [201, undefined],
        );
      }
      const { body } = await ofBoard.post('/api-keys', { name: 'inherits' });
      expect(body.data).toMatchObject({ organizations: [acme.id], folders: [board.id] });
    });
  });

  it('finds only what it reaches, in lists, totals and search', async () => {
    for (const [client, reached] of [
      [full, all],
      [ofAcme, [inBoard, inSales, inAcme]],
      [ofBoard, [inBoard]],
    ] as const) {
      for (const path of [
        '/recordings?limit=100',
        '/recordings/search?q=weekly&limit=100',
        '/recordings?search=weekly',
      ]) {
        const { body } = await client.get(path);
        expect([path, idsOf(body.data), body.pagination.total]).toEqual([
          path,
          idsOf(reached),
          reached.length,
        ]);
      }
    }
    const beyond = await ofAcme.get(`/recordings?organization_id=${beta.id}`);
    expect(outcome(beyond)).toEqual([404, 'ORGANIZATION_NOT_FOUND']);
    const { body } = await ofBoard.get(`/recordings?organization_id=${acme.id}&folder_id=${sales.id}`);
    expect(body.pagination.total).toBe(0);
  });

  it('answers questions from what it reaches', async () => {
    const question = { question: 'What was said?' };
    const found = async (client: Client): Promise<string[]> => {
      const { status, body } = await client.post('/questions', question);
      expect(status).toBe(200);
      return [...new Set<string>(body.data.citations.map((one: { recordingId: string }) => one.recordingId))];
    };
    for (const one of await found(ofBoard)) expect(one).toBe(inBoard.id);
    expect(outcome(await ofBoard.post(`/recordings/${inAcme.id}/questions`, question))).toEqual([
      404,
      'RECORDING_NOT_FOUND',
    ]);
  });

  it('finds no other organization, and no other folder', async () => {
    expect(idsOf((await full.get('/organizations')).body.data)).toEqual([acme.id, beta.id].sort());
    expect(idsOf((await ofAcme.get('/organizations')).body.data)).toEqual([acme.id]);
    const absent = (await ofAcme.get(`/organizations/${id()}`)).body;
    for (const path of ['', '/members', '/folders', '/invitations', '/audit-log']) {
      const { status, body } = await ofAcme.get(`/organizations/${beta.id}${path}`);
      expect([path, status, body]).toEqual([path, 404, absent]);
      expect([path, (await ofAcme.get(`/organizations/${acme.id}${path}`)).status]).toEqual([path, 200]);
    }
    for (const reply of [
      await ofAcme.patch(`/organizations/${beta.id}`, { name: 'X' }),
      await ofAcme.delete(`/organizations/${beta.id}`),
      await ofAcme.post(`/organizations/${beta.id}/folders`, { name: 'X' }),
      await ofAcme.post(`/organizations/${beta.id}/invitations`, { email: 'x@acme.test', role: 'VIEWER' }),
    ])
      expect([reply.status, reply.body]).toEqual([404, absent]);
    expect(idsOf((await ofBoard.get(`/organizations/${acme.id}/folders`)).body.data)).toEqual([board.id]);
  });

  it('cannot put anything where it does not reach', async () => {
    const beyondOrganizations = /limited to certain organizations/;
    const beyondFolders = /limited to certain folders/;
    const moved = (to: object) => [`/recordings/${inBoard.id}`, to] as const;
    for (const [client, method, path, body, code, message] of [
      [ofAcme, 'POST', '/recordings', { title: 'x' }, 'FORBIDDEN', beyondOrganizations],
      [
        ofAcme,
        'POST',
        '/recordings',
        { title: 'x', organization_id: beta.id },
        'ORGANIZATION_NOT_FOUND',
        /./,
      ],
      [ofBoard, 'POST', '/recordings', { title: 'x', organization_id: acme.id }, 'FORBIDDEN', beyondFolders],
      [
        ofBoard,
        'POST',
        '/recordings',
        { title: 'x', organization_id: acme.id, folder_id: sales.id },
        'FORBIDDEN',
        beyondFolders,
      ],
      [ofAcme, 'PATCH', ...moved({ organization_id: null }), 'FORBIDDEN', beyondOrganizations],
      [ofAcme, 'PATCH', ...moved({ organization_id: beta.id }), 'ORGANIZATION_NOT_FOUND', /./],
      [ofBoard, 'PATCH', ...moved({ folder_id: null }), 'FORBIDDEN', beyondFolders],
      [ofBoard, 'PATCH', ...moved({ folder_id: sales.id }), 'FORBIDDEN', beyondFolders],
      [ofAcme, 'POST', '/organizations', { name: 'x' }, 'FORBIDDEN', beyondOrganizations],
      [ofAcme, 'DELETE', ownDeletion(emailOf('Ada')), undefined, 'FORBIDDEN', beyondOrganizations],
      [ofAcme, 'POST', '/webhooks', HOOK, 'FORBIDDEN', beyondOrganizations],
      [ofBoard, 'POST', '/webhooks', { ...HOOK, organization_id: acme.id }, 'FORBIDDEN', beyondFolders],
      [ofBoard, 'PATCH', `/organizations/${acme.id}`, { name: 'x' }, 'FORBIDDEN', beyondFolders],
    ] as const) {
      const reply = await client.request(method, path, { body });
      const where = [method, path, body];
      expect([where, reply.body]).toEqual([where, refusal(code, expect.stringMatching(message))]);
    }
    const { status, body } = await ofBoard.post('/recordings/bulk', {
      ids: [inBoard.id, inSales.id],
      action: 'delete',
    });
    expect([status, body.error.code]).toEqual([404, 'RECORDING_NOT_FOUND']);
    const created = await ofBoard.post('/recordings', {
      title: 'x',
      organization_id: acme.id,
      folder_id: board.id,
    });
    expect(created.status).toBe(201);
    expect((await ofBoard.delete(`/recordings/${created.body.data.id}`)).status).toBe(200);
  });

  it('has the events of what it reaches, as list and as stream', async () => {
    const streams = await Promise.all(
      [ofAcme, ofBoard].map(async (client, index) =>
        OpenStream.open(
          client,
          (await create(index === 0 ? { organizations: [acme.id] } : { folders: [board.id] })).key,
        ),
      ),
    );
    for (const { id: one } of all) await full.patch(`/recordings/${one}`, { title: 'Weekly again' });
    await full.patch(`/organizations/${beta.id}`, { name: 'Beta again' });
    await full.patch(`/organizations/${acme.id}/folders/${sales.id}`, { name: 'Sales again' });
    await allPublished(service);
    const seen = async (client: Client): Promise<Set<string>> => {
      const events: { data: Record<string, unknown> }[] = (await client.get('/events?limit=100')).body.data;
      return new Set(
        events.map(({ data }) =>
          String(data['recording_id'] ?? data['folder_id'] ?? data['organization_id']),
        ),
      );
    };
    const everything = [...all.map((one) => one.id), beta.id, sales.id];
    expect(await seen(full)).toEqual(new Set([...(await seen(full)), ...everything]));
    const inReach = await seen(ofAcme);
    for (const one of [inBoard, inSales, inAcme, sales]) expect(inReach).toContain(one.id);
    for (const one of [inBeta, personal, beta]) expect(inReach).not.toContain(one.id);
    const onBoard = await seen(ofBoard);
    expect(onBoard).toContain(inBoard.id);
    for (const one of [inSales, inAcme, inBeta, personal, beta, sales]) expect(onBoard).not.toContain(one.id);
    const [acmeStream, boardStream] = streams;
    const recordingsIn = (stream: OpenStream | undefined) =>
      new Set(stream?.events.map(({ data }) => data.data.recording_id).filter(Boolean));
    await eventually(async () => {
      expect(recordingsIn(acmeStream)).toEqual(new Set([inBoard.id, inSales.id, inAcme.id]));
      expect(recordingsIn(boardStream)).toEqual(new Set([inBoard.id]));
    });
    for (const stream of streams) stream.close();
  });

  it('reads the audit log of what it reaches', async () => {
    await full.patch(`/recordings/${inSales.id}`, { title: 'Audited' });
    await full.patch(`/recordings/${inBoard.id}`, { title: 'Audited' });
    const concerned = async (client: Client, path: string): Promise<Set<string>> => {
      const { status, body } = await client.get(`${path}?limit=100`);
      expect(status).toBe(200);
      return new Set(
        body.data.map(
          (one: { recording_id: string; organization_id: string }) => one.recording_id ?? one.organization_id,
        ),
      );
    };
    const log = `/organizations/${acme.id}/audit-log`;
    expect(await concerned(ofAcme, log)).toContain(inSales.id);
    const onBoard = await concerned(ofBoard, log);
    expect(onBoard).toContain(inBoard.id);
    expect(onBoard).not.toContain(inSales.id);
    const own = await concerned(full, '/me/audit-log');
    for (const one of [inBeta.id, personal.id, inSales.id]) expect(own).toContain(one);
    const ownInAcme = await concerned(ofAcme, '/me/audit-log');
    expect(ownInAcme).toContain(inSales.id);
    for (const one of [inBeta.id, personal.id, null]) expect(ownInAcme).not.toContain(one);
    expect(await concerned(ofBoard, '/me/audit-log')).not.toContain(inSales.id);
  });

  it('sees quotas of what it reaches as a whole, and only what it uses of the others', async () => {
    const quotasOf = async (client: Client, path: string) => (await done(client.get(path))).quotas;
    const inOrganization = `/organizations/${acme.id}`;
    expect((await quotasOf(full, '/me')).recordings.used).toBe(1);
    for (const client of [ofAcme, ofBoard]) {
      const { recordings, stored_bytes, uploads_per_day } = await quotasOf(client, '/me');
      expect([recordings.used, stored_bytes.used, uploads_per_day.used]).toEqual([0, 0, 0]);
    }
    for (const client of [full, ofAcme]) {
      expect((await quotasOf(client, inOrganization)).recordings.used).toBe(3);
      const listed = await done(client.get('/organizations'));
      expect(listed.find((one: { readonly id: string }) => one.id === acme.id).quotas.recordings.used).toBe(
        3,
      );
    }
    expect(await quotasOf(ofBoard, inOrganization)).toBeNull();
    expect(await done(ofBoard.get('/organizations'))).toMatchObject([{ id: acme.id, quotas: null }]);
    await full.patch(inOrganization, { name: 'Acme again' });
    await allPublished(service);
    for (const [client, use] of [
      [ofAcme, 3],
      [ofBoard, undefined],
    ] as const) {
      const [event] = await done(client.get('/events?types=organization.updated'));
      expect([event.data.organization.name, event.data.organization.quotas?.recordings.used]).toEqual([
        'Acme again',
        use,
      ]);
    }
  });

  it('finds webhooks of whole organizations that it reaches', async () => {
    const make = async (fields: object): Promise<string> =>
      (await full.post('/webhooks', { ...HOOK, ...fields })).body.data.id;
    const hooks = [
      await make({}),
      await make({ organization_id: acme.id }),
      await make({ organization_id: beta.id }),
    ];
    const statuses = async (client: Client): Promise<number[]> =>
      Promise.all(hooks.map(async (hook) => (await client.get(`/webhooks/${hook}`)).status));
    expect(await statuses(full)).toEqual([200, 200, 200]);
    expect(await statuses(ofAcme)).toEqual([404, 200, 404]);
    expect(await statuses(ofBoard)).toEqual([404, 404, 404]);
    expect((await ofAcme.get('/webhooks')).body.data).toEqual([]);
    expect(idsOf((await ofAcme.get(`/webhooks?organization_id=${acme.id}`)).body.data)).toEqual([hooks[1]]);
    expect((await ofBoard.get(`/webhooks?organization_id=${acme.id}`)).body.data).toEqual([]);
    for (const hook of [hooks[0], hooks[2]])
      expect(outcome(await ofAcme.delete(`/webhooks/${hook}`))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  });

  it('loses what it is narrowed from: recordings, URLs that it was issued, and its stream', async () => {
    const { id: keyId, key } = await create({});
    const client = service.api.as(key);
    const { thumbnailUrl } = (await client.get(`/recordings/${inBeta.id}`)).body.data;
    expect(thumbnailUrl).toBeNull();
    const stream = await OpenStream.open(client, key);
    const { status, body } = await full.patch(`/api-keys/${keyId}`, { organizations: [acme.id] });
    expect([status, body.data.organizations]).toEqual([200, [acme.id]]);
    expect(outcome(await client.get(`/recordings/${inBeta.id}`))).toEqual([404, 'RECORDING_NOT_FOUND']);
    await full.patch(`/recordings/${inBeta.id}`, { title: 'Unseen' });
    await full.patch(`/recordings/${inAcme.id}`, { title: 'Seen' });
    await eventually(async () => {
      expect(stream.events.map(({ data }) => data.data.recording_id)).toContain(inAcme.id);
    });
    expect(stream.events.map(({ data }) => data.data.recording_id)).not.toContain(inBeta.id);
    stream.close();
    for (const wider of [{ organizations: [acme.id, beta.id] }, { scopes: ['full'] }]) {
      const reply = await full.patch(`/api-keys/${keyId}`, wider);
      if ('scopes' in wider) expect(reply.status).toBe(200);
      else expect(outcome(reply)).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});

describe('an API key that is limited to addresses', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: '127.0.0.1,::1' });
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  it('is refused from others with 403, as the proxy names them, and its streams there end', async () => {
    const full = service.api.as(keyOf('Ada'));
    const { body } = await full.post('/api-keys', {
      name: 'x',
      addresses: ['203.0.113.0/24', '2001:db8::/32'],
    });
    const client = service.api.as(body.data.key);
    const from = (address: string) => client.get('/me', { headers: { 'x-forwarded-for': address } });
    expect((await from('203.0.113.9')).status).toBe(200);
    expect((await from('2001:db8:1::9')).status).toBe(200);
    expect((await from('::ffff:203.0.113.9')).status).toBe(200);
    for (const address of ['203.0.114.1', '2001:db9::1', '127.0.0.1']) {
      const reply = await from(address);
      expect([reply.status, reply.body]).toEqual([
        403,
        refusal('FORBIDDEN', `This API key must not be used from ${address}.`),
      ]);
    }
    const stream = await OpenStream.open(client, body.data.key, '', { 'x-forwarded-for': '203.0.113.9' });
    const other = await OpenStream.open(client, body.data.key, '', { 'x-forwarded-for': '203.0.113.200' });
    const narrower = (addresses: string[]) => full.patch(`/api-keys/${body.data.id}`, { addresses });
    expect(outcome(await narrower(['203.0.112.0/23']))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await narrower(['203.0.113.128/25'])).status).toBe(200);
    expect((await from('203.0.113.9')).status).toBe(403);
    expect((await from('203.0.113.200')).status).toBe(200);
    await stream.until(({ isOpen }) => !isOpen);
    expect(stream.events).toEqual([
      expect.objectContaining({
        event: 'end',
        data: refusal('FORBIDDEN', 'This API key must not be used from 203.0.113.9.'),
      }),
    ]);
    expect(other.isOpen).toBe(true);
    other.close();
  });
});
