import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, user } from '../../factories/workspace.js';
import { rawRequest, refusal, sendRaw, type Reply } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { startService, type TestService } from '../../support/service.js';

interface Parameter {
  readonly in: string;
  readonly name: string;
}

/** Every query parameter of every operation. */
const PARAMETERS = Object.entries(openapi.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) => {
    const { parameters = [] } = operation as { parameters?: readonly Parameter[] };
    return parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, id()), name] as const);
  }),
);
const TIMES = PARAMETERS.filter(([, , name]) => /^(date_from|date_to|updated_since|since|until)$/.test(name));

/** What the reply to a mistake that is often made says about its cause. */
describe('a request', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<Reply> =>
    sendRaw(service.api.base, rawRequest(method, path, { key: keyOf('Ada'), headers, body }));
  const refused = (message: unknown) => [400, refusal('VALIDATION_ERROR', message)];

  it.each(PARAMETERS)('%s %s that repeats %s is refused for that', async (method, path, name) => {
    const { status, body } = await send(method, `${path}?${name}=a&${name}=a`);
    const message = expect.stringContaining(`${name}: is specified more than once; send it once (must be `);
    expect([status, body]).toEqual(refused(message));
  });

  it.each(TIMES)(
    '%s %s with a + in %s that is not encoded is refused for that',
    async (method, path, name) => {
      const { status, body } = await send(method, `${path}?${name}=2026-01-01T00:00:00+02:00`);
      const message = expect.stringContaining('it has a blank where the + of the offset should be');
      expect([status, body]).toEqual(refused(message));
      const encoded = await send(method, `${path}?${name}=2026-01-01T00:00:00%2B02:00`);
      expect(encoded.body.error?.message ?? '').not.toContain(name);
    },
  );

  const URL_RULE =
    'must be an https URL of a public host, on port 443 or one from 1024 up, without user name and password (ALLOW_PRIVATE_ADDRESSES permits others)';
  const TYPES_RULE = 'must be a list of 1 to 100 types of events, families of them such as recording.*, or *';
  it.each([
    ['POST', '/webhooks', { url: 'ftp://x', types: '*' }, [`url: ${URL_RULE}`, `types: ${TYPES_RULE}`]],
    ['POST', '/webhooks', { url: 'http://10.0.0.1', types: 1 }, [`url: ${URL_RULE}`, `types: ${TYPES_RULE}`]],
    [
      'POST',
      '/api-keys',
      { name: '', expires_at: '2020-01-31T09:30:00Z', scope: 'all' },
      [
        'scope: unknown field (did you mean scopes?)',
        'name: must be a string of 1 to 100 characters after trimming, without control characters',
        'expires_at: must be an ISO 8601 time in the future',
      ],
    ],
    [
      'POST',
      '/recordings',
      { folder_id: 'a', size: 0, source_url: 'https://10.0.0.1/a.mp4', media: 'none', language: 'en' },
      [
        'title: is required and must be a string of 1 to 500 characters after trimming, without control characters',
        'folder_id: requires organization_id',
        'size: must be an integer of at least 1',
        `source_url: ${URL_RULE}`,
        'language: cannot be combined with media none',
      ],
    ],
    [
      'GET',
      '/recordings?limit=0&offset=1&cursor=a&date_from=2026-02-01&date_to=2026-01-31&folder_id=a',
      undefined,
      [
        'limit: must be an integer from 1 to 100',
        'cursor: must not be combined with offset',
        'date_from: must not be after date_to',
        'folder_id: requires organization_id',
      ],
    ],
    [
      'GET',
      '/events?types=none&limit=0',
      undefined,
      [
        'limit: must be an integer from 1 to 100',
        expect.stringMatching(/^types: none is not a type of event; must be /),
      ],
    ],
    [
      'GET',
      '/me/audit-log?type=none&limit=0&format=ndjson',
      undefined,
      [
        expect.stringMatching(/^type: none is not a type of change; must be /),
        'limit: must be an integer from 1 to 100',
        'format: returns all entries; omit limit and cursor',
      ],
    ],
    [
      'DELETE',
      `/recordings/${id()}?force=1&now=1`,
      undefined,
      ['force, now: unknown query parameters (none allowed)'],
    ],
  ] as const)(
    '%s %s is refused with everything that is wrong with it',
    async (method, path, sent, reasons) => {
      const sending = sent === undefined ? {} : { body: sent };
      const { status, body } = await service.api.as(keyOf('Ada')).request(method, path, sending);
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      const all = body.error?.message ?? '';
      for (const reason of reasons) expect(all.split(/; (?=[a-z_]+: )/)).toContainEqual(reason);
      expect(all.split(/; (?=[a-z_]+: )/)).toHaveLength(reasons.length);
    },
  );

  const NO_ID = '"weekly sync" is not an id: ids are UUIDs, such as 01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90.';
  it.each([
    ['GET', '/recordings/weekly%20sync', 'RECORDING_NOT_FOUND', `Recording not found. ${NO_ID}`],
    ['PATCH', '/organizations/weekly%20sync', 'ORGANIZATION_NOT_FOUND', `Organization not found. ${NO_ID}`],
    ['DELETE', '/api-keys/weekly%20sync', 'API_KEY_NOT_FOUND', `API key not found. ${NO_ID}`],
    [
      'GET',
      '/recordings?organization_id=weekly%20sync',
      'ORGANIZATION_NOT_FOUND',
      `Organization not found. ${NO_ID}`,
    ],
    [
      'POST',
      '/recordings',
      'ORGANIZATION_NOT_FOUND',
      `Organization not found. ${NO_ID}`,
      { title: 'x', organization_id: 'weekly sync' },
    ],
    ['GET', `/recordings/${id()}`, 'RECORDING_NOT_FOUND', 'Recording not found.'],
  ])('%s %s is %s: an id that is none is named', async (method, path, code, message, ...[sent]) => {
    const body = (sent as object | undefined) ?? (method === 'PATCH' ? { name: 'x' } : undefined);
    const reply = await service.api.as(keyOf('Ada')).request(method, path, { body });
    expect([reply.status, reply.body]).toEqual([404, refusal(code, message)]);
  });

  it('of tus is refused with everything that is wrong with its metadata', async () => {
    const metadata = {
      title: ' ',
      folder_id: id(),
      started_at: 'soon',
      transcribe: 'maybe',
      language: 'Klingon',
    };
    const encoded = Object.entries(metadata).map(
      ([name, text]) => `${name} ${Buffer.from(text).toString('base64')}`,
    );
    const { status, body } = await send('POST', '/api/v1/uploads', {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '5',
      'Upload-Metadata': encoded.join(','),
    });
    expect([status, body]).toEqual(
      refused(
        expect.stringMatching(
          /^Upload-Metadata: title .*; Upload-Metadata: started_at .*; Upload-Metadata: folder_id requires organization_id; Upload-Metadata: transcribe .*; Upload-Metadata: language /,
        ),
      ),
    );
  });

  it.each([
    ['characters beyond ASCII in its query', '/api/v1/recordings?search=gr\u00c3\u00bcn'],
    ['characters beyond ASCII in its path', '/api/v1/recordings/gr\u00c3\u00bcn'],
    ['a blank', '/api/v1/recordings?search=winter routes'],
  ])('with %s is refused, with how to encode them', async (_, path) => {
    const text = rawRequest('GET', path, { key: keyOf('Ada') });
    const { status, body } = await sendRaw(service.api.base, Buffer.from(text, 'latin1'));
    const message = expect.stringMatching(/has to be percent-encoded: .* such as %C3%BC for \u00fc/);
    expect([status, body]).toEqual(refused(message));
  });

  it.each([
    ['/api/v1/recordings?search=gr%FCn', '%FC'],
    ['/api/v1/recordings/gr%FCn', '%FC'],
    ['//api/v1/recordings/?search=a&status=%C3%28', '%C3%28'],
  ])('with another encoding than UTF-8 in its URL is told so: %s', async (path, bytes) => {
    const { status, body } = await send('GET', path);
    const message = expect.stringContaining(`The URL contains ${bytes}, which is not text in UTF-8`);
    expect([status, body]).toEqual(refused(message));
  });

  it('may contain a % that stands for itself in a query, and every character in UTF-8', async () => {
    for (const search of ['100%', '%zz', 'gr%C3%BCn', '%F0%9F%98%80', '%25FC'])
      expect([search, (await send('GET', `/api/v1/recordings?search=${search}`)).status]).toEqual([
        search,
        200,
      ]);
    const { status, body } = await send('GET', '/api/v1/recordings/%zz');
    expect([status, body]).toEqual(refused(expect.stringContaining('the character % itself is %25')));
  });

  it.each([
    ['POST', '/api/v1/recordings', 'application/json; charset=ISO-8859-1', 'ISO-8859-1'],
    ['POST', '/api/v1/recordings', 'application/json;charset="utf-16"', 'utf-16'],
    ['PUT', `/api/v1/recordings/{id}/summary`, 'text/markdown; charset=windows-1252', 'windows-1252'],
  ])(
    '%s %s with a body in another charset is told which is taken: %s',
    async (method, path, type, charset) => {
      const created = await service.api.as(keyOf('Ada')).post('/recordings', { title: 'x', media: 'none' });
      const url = path.replace('{id}', created.body.data.id);
      const { status, body } = await send(method, url, { 'Content-Type': type }, '{"title":"x"}');
      const message = `Content-Type: the charset "${charset}" is not taken; send text in UTF-8, and utf-8 or nothing as its charset`;
      expect([status, body]).toEqual([415, refusal('UNSUPPORTED_MEDIA_TYPE', message)]);
    },
  );

  it.each([
    ['application/x-www-form-urlencoded', 'not "application/x-www-form-urlencoded"'],
    ['', 'and is missing'],
  ])('with JSON in a body of another type is told which it must be: %s', async (type, what) => {
    const { status, body } = await send('POST', '/api/v1/recordings', { 'Content-Type': type }, '{}');
    const message = `Content-Type: must be application/json, ${what}`;
    expect([status, body]).toEqual([415, refusal('UNSUPPORTED_MEDIA_TYPE', message)]);
  });

  it('with a body that is not UTF-8 is told so', async () => {
    const text = rawRequest('POST', '/api/v1/recordings', {
      key: keyOf('Ada'),
      body: '{"title":"gr\u00fcn"}',
    });
    const bytes = Buffer.from(text.replace('Content-Length: 17', 'Content-Length: 16'), 'latin1');
    const { status, body } = await sendRaw(service.api.base, bytes);
    expect([status, body]).toEqual(refused('body: not valid UTF-8; send text in the encoding UTF-8'));
  });
});
