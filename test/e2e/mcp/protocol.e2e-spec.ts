import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AppLogger } from '../../../src/platform/logging/app-logger.js';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { saying } from '../../support/found.js';
import { connectMcp, ERAS } from '../../support/mcp.js';
import { startService, type TestService } from '../../support/service.js';

const depot = recording('Ada', {
  title: 'Depot',
  transcript: saying('en', ['Grace', 'The depot needs 14 mechanics.']),
});
const REVISION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('POST /mcp', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ CORS_ORIGINS: 'https://chat.example.com' });
    await service.import({ users: [user('Ada'), user('Bob')], recordings: [depot] });
  });
  afterAll(() => service.stop());

  const headers = (more: Record<string, string> = {}) => ({
    Authorization: `Bearer ${keyOf('Ada')}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...more,
  });
  const send = (body: unknown, more?: Record<string, string>, signal?: AbortSignal) =>
    fetch(`${service.api.base}/mcp`, {
      method: 'POST',
      signal,
      headers: headers(more),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const current = (method: string, params: object = {}) => ({
    message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } },
    headers: { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': method },
  });

  it.each(ERAS)('serves clients of the version %s', async (era) => {
    const { client, call } = await connectMcp(service.api.base, keyOf('Ada'), era).then((agent) => ({
      client: agent.client,
      call: agent.text.bind(agent),
    }));
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(client.getServerVersion()).toMatchObject({ name: 'meeting-recording-service', version: '1.0.0' });
    expect(client.getInstructions()).toContain('get_transcript');
    expect(await call('get_transcript', { recording_id: depot.id })).toContain(
      '[0:00] Grace: The depot needs 14 mechanics.',
    );
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'minutes',
      'decisions_and_actions',
      'follow_up_mail',
      'weekly_digest',
    ]);
    const { messages } = await client.getPrompt({ name: 'minutes', arguments: { recording: depot.id } });
    expect(JSON.stringify(messages)).toContain(depot.id);
    const digest = await client.getPrompt({ name: 'weekly_digest', arguments: { organization: 'Zoo' } });
    expect(JSON.stringify(digest.messages)).toContain('Zoo');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, name }) => [uri, name])).toEqual([
      [`meeting://${depot.id}/summary`, 'Summary: "Depot"'],
      [`meeting://${depot.id}/transcript`, 'Transcript: "Depot"'],
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'meeting://{recording_id}/summary',
      'meeting://{recording_id}/transcript',
    ]);
    const uri = `meeting://${depot.id}/transcript`;
    const [content] = (await client.readResource({ uri })).contents;
    expect(content).toMatchObject({
      uri,
      mimeType: 'text/plain',
      text: expect.stringContaining('14 mechanics'),
    });
    await client.close();
  });

  it('describes its tools with schemas, and says what they change', async () => {
    const agent = await connectMcp(service.api.base, keyOf('Ada'));
    const { tools } = await agent.client.listTools();
    expect(
      tools.map(({ name, annotations: hints }) => [name, hints?.readOnlyHint, hints?.destructiveHint]),
    ).toEqual([
      ['list_recordings', true, false],
      ['search_recordings', true, false],
      ['ask', true, false],
      ['get_recording', true, false],
      ['get_summary', true, false],
      ['get_transcript', true, false],
      ['list_action_items', true, false],
      ['list_share_links', true, false],
      ['list_organizations', true, false],
      ['list_folders', true, false],
      ['list_members', true, false],
      ['create_share_link', false, false],
      ['update_recording', false, true],
      ['update_action_item', false, true],
      ['rename_speakers', false, true],
      ['add_recording', false, false],
    ]);
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(description!.length).toBeGreaterThan(40);
      expect([inputSchema.type, inputSchema['additionalProperties']]).toEqual(['object', false]);
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(annotations?.openWorldHint).toBe(false);
    }
  });

  it('offers only what the scopes of the API key permit', async () => {
    const keyWith = async (scopes: readonly string[]): Promise<string> => {
      const { body } = await service.api.as(keyOf('Ada')).post('/api-keys', { name: 'agent', scopes });
      return body.data.key;
    };
    const readOnly = await connectMcp(service.api.base, await keyWith(['read-only']));
    expect(await readOnly.tools()).toEqual([
      'list_recordings',
      'search_recordings',
      'get_recording',
      'get_summary',
      'get_transcript',
      'list_action_items',
      'list_share_links',
      'list_organizations',
      'list_folders',
      'list_members',
    ]);
    const rename = readOnly.call('update_recording', { recording_id: depot.id, title: 'Mine' });
    await expect(rename).rejects.toThrow('Tool update_recording not found');
    const listing = await connectMcp(service.api.base, await keyWith(['recordings:read']));
    expect(await listing.tools()).toEqual([
      'list_recordings',
      'get_recording',
      'get_summary',
      'list_action_items',
    ]);
    // Without `shares:read`, it does not know of links.
    await service.api.as(keyOf('Ada')).post(`/recordings/${depot.id}/share-link`, {});
    const { share_url: url } = await listing.output('get_recording', { recording_id: depot.id });
    expect(url).toBeNull();
    const { resourceTemplates } = await listing.client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['summary']);
    const none = await connectMcp(service.api.base, await keyWith(['profile:read']));
    expect(none.client.getServerCapabilities()).toEqual({ prompts: expect.anything() });
  });

  it.each([
    [{}, undefined],
    [{ Authorization: 'Basic YTpi' }, undefined],
    [{ Authorization: 'Bearer mrs_unknown00000000000000000000' }, 'error="invalid_token"'],
  ])('names in a 401 where to learn how to authenticate: %j', async (given, error) => {
    const reply = await fetch(`${service.api.base}/mcp`, { method: 'POST', headers: given, body: '{}' });
    expect([reply.status, await reply.json()]).toMatchObject([401, { error: {} }]);
    const [, url, more] = /^Bearer resource_metadata="([^"]+)", scope="[a-z:, ]+"(?:, (.*))?$/.exec(
      reply.headers.get('www-authenticate') ?? '',
    )!;
    expect(more).toBe(error);
    const metadata = await fetch(url!.replace('localhost', '127.0.0.1'));
    expect(await metadata.json()).toEqual({
      resource: url!.replace('/.well-known/oauth-protected-resource', ''),
      authorization_servers: [new URL(url!).origin],
      resource_name: 'Meeting Recording Service',
      bearer_methods_supported: ['header'],
      scopes_supported: expect.arrayContaining(['recordings:read', 'transcripts:read']),
    });
  });

  it.each([
    ['https://evil.example.com', 403],
    ['http://127.0.0.1.evil.example.com', 403],
    ['null', 403],
    ['https://chat.example.com', 200],
  ])('refuses pages of other origins: %s', async (origin, status) => {
    const { message, headers: more } = current('tools/list');
    const reply = await send(message, { ...more, Origin: origin });
    expect([reply.status, await reply.json()]).toEqual([status, expect.any(Object)]);
  });

  it.each([
    ['not JSON', '{', 400],
    ['an empty batch', '[]', 400],
    ['no JSON-RPC', '{"hello":"world"}', 400],
    ['deep nesting', '['.repeat(2_000), 400],
    [
      'many values',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { a: Array(20_000).fill(1) } }),
      400,
    ],
    ['a body of more than 2 MiB', JSON.stringify({ a: 'x'.repeat(2_100_000) }), 413],
  ])('refuses %s', async (_, body, status) => {
    const reply = await send(body);
    expect(reply.status).toBe(status);
    expect(await reply.json()).toHaveProperty('error');
  });

  const request = (id: number, method: string, params?: object | null) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const called = (id: number, name: string, given: unknown) =>
    request(id, 'tools/call', { name, arguments: given });

  it.each(['*/*', 'application/json', undefined])(
    'answers clients that accept %s with JSON',
    async (accept) => {
      const { Accept: _, ...others } = headers();
      const reply = await new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest(`${service.api.base}/mcp`, {
          method: 'POST',
          headers: accept === undefined ? others : { ...others, Accept: accept },
        })
          .on('response', resolve)
          .on('error', reject)
          .end(JSON.stringify(request(7, 'tools/list')));
      });
      const { jsonrpc, id: replied, result } = JSON.parse(await text(reply));
      expect([reply.statusCode, jsonrpc, replied, result.tools.length]).toEqual([200, '2.0', 7, 16]);
    },
  );

  it('takes batches from clients of 2025-03-26, and answers each request', async () => {
    const json = { Accept: 'application/json' };
    const [found, pinged] = [called(1, 'list_recordings', null), request(2, 'ping')];
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const more of [json, { ...json, 'MCP-Protocol-Version': '2025-03-26' }] as Record<
      string,
      string
    >[]) {
      const reply = await send([found, note, pinged], more);
      const replies = (await reply.json()) as { id: number; result: object }[];
      expect([reply.status, replies.toSorted((a, b) => a.id - b.id)]).toEqual([
        200,
        [
          expect.objectContaining({
            id: 1,
            result: expect.objectContaining({ structuredContent: expect.objectContaining({ total: 1 }) }),
          }),
          { jsonrpc: '2.0', id: 2, result: {} },
        ],
      ]);
    }
    expect(await (await send([pinged], json)).json()).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
    const noted = await send([note, note], json);
    expect([noted.status, await noted.text()]).toEqual([202, '']);
  });

  it.each([
    ['of other versions', { 'MCP-Protocol-Version': '2025-11-25' }, [request(1, 'ping')], '2025-03-26'],
    [
      'of too many messages',
      {},
      Array.from({ length: 51 }, (_, id) => request(id, 'ping')),
      '1 to 50 messages',
    ],
    ['without a message', {}, [], '1 to 50 messages'],
    ['with one id twice', {}, [request(1, 'ping'), request(1, 'ping')], 'an id of its own'],
    [
      'that cancel what they request',
      {},
      [
        called(1, 'list_organizations', {}),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      ],
      'cannot cancel',
    ],
  ])('refuses batches %s', async (_, more, batch, message) => {
    const reply = await send(batch, more);
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.stringContaining(message) } },
    ]);
  });

  it('counts each message of a batch', async () => {
    const strict = await startService({ RATE_LIMIT_PER_MINUTE: '5' }, { beside: service });
    const batch = Array.from({ length: 6 }, (_, id) => request(id, 'ping'));
    const reply = await fetch(`${strict.api.base}/mcp`, {
      method: 'POST',
      headers: headers({ Authorization: `Bearer ${keyOf('Bob')}` }),
      body: JSON.stringify(batch),
    });
    expect([reply.status, await reply.json()]).toEqual([429, refusal('RATE_LIMITED')]);
    await strict.stop();
  });

  it('takes arguments as they are meant', async () => {
    const agent = await connectMcp(service.api.base, keyOf('Ada'));
    const blank = { title: '', organization_id: null, status: '', cursor: null, time_zone: '' };
    expect(await agent.output('list_recordings', { ...blank, limit: '3' })).toMatchObject({ total: 1 });
    expect(await agent.output('list_action_items', { done: 'False', limit: ' 3 ' })).toMatchObject({
      action_items: [],
    });
    expect(
      await agent.output('get_transcript', { recording_id: depot.id, from_seconds: '0.0', to_seconds: '' }),
    ).toMatchObject({ segments: [{ speaker: 'Grace' }] });
    await agent.output('update_recording', { recording_id: depot.id, title: 'Depot', notes: null });
    for (const [name, given, message] of [
      ['list_recordings', { limit: '101' }, 'limit: must be at most 100'],
      ['list_recordings', { limit: 'three' }, 'limit: must be a number'],
      ['list_action_items', { done: 'perhaps' }, 'done: must be true or false'],
      ['search_recordings', { query: '' }, 'query: must be text of at least 1 character'],
      ['search_recordings', { query: null }, 'query: must be text'],
      ['get_recording', { recording_id: depot.id, constructor: '' }, 'unknown field "constructor"'],
    ] as const)
      expect(await agent.refusal(name, given)).toContain(message);
    for (const given of [null, '', undefined]) {
      const reply = await send(called(1, 'list_organizations', given), { Accept: '*/*' });
      expect(await reply.json()).toMatchObject({ result: { structuredContent: { organizations: [] } } });
    }
    const prompt = request(1, 'prompts/get', {
      name: 'weekly_digest',
      arguments: { week: null, organization: '' },
    });
    const asked = await (await send(prompt, { Accept: '*/*' })).text();
    expect(asked).toContain('the meetings of the last seven days. Find');
    const listed = await send(request(1, 'tools/list', null), { Accept: '*/*' });
    expect(await listed.json()).toMatchObject({ result: { tools: expect.any(Array) } });
  });

  it('answers nothing but POST, and keeps no subscription open', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await fetch(`${service.api.base}/mcp`, { method, headers: headers() });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
      await reply.json();
    }
    const { message, headers: more } = current('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const reply = await send(message, more);
    expect(await reply.text()).toContain('Subscription limit reached');
  });

  it('says which argument is wrong, and what to do after a refusal', async () => {
    const agent = await connectMcp(service.api.base, keyOf('Ada'));
    expect(await agent.refusal('get_recording', {})).toContain('recording_id');
    expect(await agent.refusal('get_recording', { recording_id: 'Depot' })).toContain(
      'must be the id of a recording, as list_recordings or search_recordings returns it',
    );
    expect(await agent.refusal('get_recording', { recording_id: depot.id, id: 1 })).toContain(
      'has the unknown field "id"',
    );
    expect(
      await agent.refusal('ask', { question: 'Who?', recording_id: depot.id, speaker: 'Ada' }),
    ).toContain('recording_id cannot be combined with speaker');
    const unknown = await agent.refusal('get_recording', { recording_id: user('Nobody').id });
    expect(unknown).toMatch(/^RECORDING_NOT_FOUND: Recording not found\.\nTake an id that list_recordings/);
    const folder_id = user('Nobody').id;
    expect(await agent.refusal('list_recordings', { folder_id })).toMatch(
      /^VALIDATION_ERROR: .*organization_id.*\nCorrect the argument/s,
    );
    await expect(agent.call('delete_everything')).rejects.toThrow('not found');
  });

  it('refuses resources that there are not', async () => {
    const { client } = await connectMcp(service.api.base, keyOf('Bob'));
    for (const uri of [
      `meeting://${depot.id}/transcript`,
      `meeting://${user('Nobody').id}/summary`,
      'meeting://..%2Fme/summary',
      'meeting://x/summary',
    ])
      await expect(client.readResource({ uri })).rejects.toThrow();
  });

  it('logs changes with the name of the client, and the id of its request', async () => {
    const agent = await connectMcp(service.api.base, keyOf('Ada'));
    await agent.output('update_recording', { recording_id: depot.id, title: 'Depot 2' });
    const legacy = await connectMcp(service.api.base, keyOf('Ada'), '2025-11-25');
    await legacy.output('update_recording', { recording_id: depot.id, title: 'Depot' });
    const log = await service.api.as(keyOf('Ada')).get('/me/audit-log?type=recording.updated');
    expect(log.body.data).toMatchObject([
      // Clients before 2026 name themselves in a request of its own, which the next one does not refer to.
      { client: 'node', address: '127.0.0.1' },
      { client: 'test-agent/1.2.3', address: '127.0.0.1', recording_id: depot.id },
    ]);
  });

  it('lets the requests of tools have their turns, however many calls there are at once', async () => {
    const agent = await connectMcp(service.api.base, keyOf('Ada'));
    const calls = Array.from({ length: 60 }, () => agent.output('list_organizations'));
    expect(await Promise.all(calls)).toHaveLength(60);
  });

  it('leaves calls whose client has gone, and logs no failure', async () => {
    const failures: unknown[] = [];
    const logger = service.app.get(AppLogger);
    const log = jest.spyOn(logger, 'error').mockImplementation((...given) => void failures.push(given));
    const { message, headers: more } = current('tools/call', { name: 'list_recordings', arguments: {} });
    for (let times = 0; times < 20; times += 1) {
      const leaving = new AbortController();
      const sent = send(message, { ...more, 'Mcp-Name': 'list_recordings' }, leaving.signal);
      setTimeout(() => leaving.abort(), times);
      await sent.then((reply) => reply.text()).catch(() => undefined);
    }
    const agent = await connectMcp(service.api.base, keyOf('Ada'));
    await agent.output('list_organizations');
    log.mockRestore();
    expect(failures).toEqual([]);
  });

  it('can be turned off', async () => {
    const off = await startService({ MCP: 'false' }, { beside: service });
    for (const path of ['/mcp', '/.well-known/oauth-protected-resource/mcp']) {
      const reply = await fetch(off.api.base + path, {
        method: path === '/mcp' ? 'POST' : 'GET',
        headers: headers(),
      });
      expect([reply.status, await reply.json()]).toEqual([
        404,
        { error: { code: 'NOT_FOUND', message: expect.any(String) } },
      ]);
    }
    await off.stop();
  });

  it('counts the requests of tools, and says when to go on', async () => {
    const strict = await startService({ RATE_LIMIT_PER_MINUTE: '5' }, { beside: service });
    const agent = await connectMcp(strict.api.base, keyOf('Bob'));
    // Each is a request of the client and one of the tool; the client has introduced itself with another.
    await agent.output('list_organizations');
    await agent.output('list_organizations');
    await expect(agent.call('list_organizations')).rejects.toThrow(/RATE_LIMITED/);
    const even = await startService({ RATE_LIMIT_PER_MINUTE: '4' }, { beside: service });
    const other = await connectMcp(even.api.base, keyOf('Bob'));
    await other.output('list_organizations');
    expect(await other.refusal('list_organizations')).toMatch(
      /^RATE_LIMITED: .*\nWait \d+ seconds, and call the tool again\.$/,
    );
    await even.stop();
    await strict.stop();
  });
});
