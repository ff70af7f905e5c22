import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS, type Settings } from '../../../src/platform/config/settings.js';
import { rawRequest, sendRaw, type Client } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { AMARA, demoService, filledIn, OPERATIONS } from '../../support/try-it-out.js';

/** In the order of the document: each needs what the one before it has stored. */
const EDITS = ['updateRecording', 'importTranscript', 'renameSpeakers', 'correctSegment', 'importSummary'];

/** Nobody's address confirms the deletion, a key needs no name, and the demo user is no operator. */
const REFUSED = [
  ['deleteMe', 400],
  ['acceptInvitation', 400],
  ['listUsers', 403],
  ['createUser', 403],
  ['getInstallationAuditLog', 403],
  ['getAuditStream', 404],
  ['listOAuthClients', 403],
];

describe('"Try it out" of Swagger UI, with the key of the demo workspace', () => {
  let service: TestService;
  let amara: Client;
  let existing: string[];
  const operations = OPERATIONS.map((operation) => ({
    id: operation.operationId,
    method: operation.method,
    request: filledIn(operation),
  }));

  beforeAll(async () => {
    ({ service, amara } = await demoService());
    existing = await Promise.all(['/recordings', '/api-keys'].map(idsAt)).then((ids) => ids.flat());
  });
  afterAll(() => service.stop());

  const idsAt = async (path: string): Promise<string[]> =>
    (await amara.get(path)).body.data.map(({ id }: { id: string }) => id);

  /** Everything that a request could change by mistake. */
  async function stateOf(): Promise<unknown> {
    const tables = ['recordings', 'transcripts', 'transcript_chunks', 'summaries', 'api_keys'];
    const select = (table: string): Promise<unknown[]> => {
      const id = ['recordings', 'api_keys'].includes(table) ? 'id' : 'recording_id';
      const columns = `to_jsonb(t) - 'last_used_at' - 'last_used_address' AS row`;
      return service.dataSource.query(
        `SELECT ${columns} FROM ${table} t WHERE ${id} = ANY ($1) ORDER BY to_jsonb(t)::text`,
        [existing],
      );
    };
    return Promise.all(tables.map(select));
  }

  it('changes no existing data, and every request that is sent succeeds unless the demo has nothing to do it with', async () => {
    const before = await stateOf();
    const replies: [string, number][] = [];
    for (const { id, method, request } of operations) {
      if (request) replies.push([id, (await amara.request(method, ...request)).status]);
    }
    expect(await stateOf()).toEqual(before);
    expect(replies.filter(([, status]) => status > 299)).toEqual(REFUSED);
    expect(replies).toEqual(
      expect.arrayContaining([
        ['createApiKey', 201],
        ['createRecording', 201],
        ['createShareLink', 201],
        ['askQuestion', 200],
        ['getTranscript', 200],
      ]),
    );
  });

  it('fills in no id of what is replaced or deleted', () => {
    const targets = OPERATIONS.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method)).flatMap(
      ({ operationId, parameters = [] }) => {
        const target = parameters.findLast((parameter) => parameter.in === 'path');
        return target ? [[operationId, target.schema.example]] : [];
      },
    );
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter(([, example]) => example !== undefined)).toEqual([]);
  });

  it('sends bodies that are consistent with each other once the id of a recording is entered', async () => {
    const { id } = (await amara.post('/recordings', { title: 'Mine' })).body.data;
    const statuses: Record<string, number> = {};
    for (const operation of OPERATIONS.filter(({ operationId }) => EDITS.includes(operationId))) {
      const request = filledIn(operation, { id, segmentId: '0' });
      if (request)
        statuses[operation.operationId] = (await amara.request(operation.method, ...request)).status;
    }
    expect(statuses).toEqual(Object.fromEntries(EDITS.map((edit) => [edit, 200])));
  });

  describe('a key of the demo for the API docs', () => {
    const offered = { data: { offered: true } };
    const notOffered = { data: { offered: false } };

    const send = async (method: string, headers: Record<string, string> = {}) =>
      sendRaw(service.api.base, rawRequest(method, '/docs/demo-key', { headers }));
    const offer = async (headers?: Record<string, string>): Promise<unknown> =>
      (await send('GET', headers)).body;

    it('is offered only where the demo is loaded', async () => {
      expect(await offer()).toEqual(notOffered);
      Object.assign(service.app.get<Settings>(SETTINGS), { demo: true });
      expect(await offer()).toEqual(offered);
    });

    it('is the same one for a day, and works', async () => {
      const first = await send('POST');
      expect(first.status).toBe(200);
      const { key } = (first.body as { data: { key: string } }).data;
      expect(await send('POST')).toMatchObject({ body: { data: { key } } });
      const me = await service.api.as(key).get('/me');
      expect(me.body.data).toMatchObject({ id: AMARA, api_key: { name: 'API docs' } });
      const days = (Date.parse(me.body.data.api_key.expires_at) - Date.now()) / 86_400_000;
      expect(days).toBeCloseTo(1, 1);
      await amara.delete(`/api-keys/${me.body.data.api_key.id}`);
      expect(await send('POST')).toMatchObject({
        status: 200,
        body: { data: { key: expect.not.stringContaining(key) } },
      });
    });

    it.each([
      ['through a proxy', { 'X-Forwarded-For': '203.0.113.9' }],
      ['through a proxy that says less', { 'X-Real-IP': '203.0.113.9' }],
      ['at another name for this address', { Host: 'rebound.example' }],
      ['from a page of another site', { Origin: 'https://other.example' }],
      ['from a page of another service on this host', { 'Sec-Fetch-Site': 'same-site' }],
      ['from a page without an origin', { Origin: 'null' }],
    ])('is neither offered nor given %s', async (_, headers) => {
      expect(await offer(headers)).toEqual(notOffered);
      expect(await send('POST', headers)).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND' } },
      });
    });
  });
});
