import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { breaksBetween } from '../../scripts/openapi-breaks.js';

const RELEASED = 'test/contract/released';

/** Decided breaks of the last release, each with its reason; empty again with the next one. */
const DECIDED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(Changed(Folder|Organization|User)|CorrectedSegment|ImportedSummary|OpenedUpload|RenamedSpeakers|ResentInvitation|RestoredTranscript|UpdatedMember|UploadedRecording): may now lack \w+$/,
    'only for keys with scopes, which 1.0.0 did not have',
  ],
  [
    /^(CreatedApiKey.key|WebhookWithSecret.secret): can now be null$/,
    'security: kept replies have no secrets',
  ],
  [/^CurrentUser.api_key: can now be null$/, 'only in a session, which 1.0.0 did not have'],
  [/^DELETE \/api\/v1\/me: now requires query confirm$/, 'security: a key alone deleted its user'],
];

describe('openapi.json', () => {
  it('breaks nothing of the last release (docs/versioning.md) but what has been decided', () => {
    const last = readdirSync(RELEASED)
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .at(-1)!;
    const released = JSON.parse(gunzipSync(readFileSync(join(RELEASED, last))).toString());
    const breaks = breaksBetween(released, JSON.parse(readFileSync('openapi.json', 'utf8')));
    expect(breaks.filter((one) => !DECIDED.some(([pattern]) => pattern.test(one)))).toEqual([]);
    expect(DECIDED.filter(([pattern]) => !breaks.some((one) => pattern.test(one)))).toEqual([]);
  });

  it('has clients of the same version', () => {
    const versionIn = (file: string) =>
      /^\s*"?version"?\s*[:=]\s*"([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
    const clients = readdirSync('clients').flatMap((client) =>
      readdirSync(join('clients', client))
        .filter((name) => /^(package\.json|pyproject\.toml)$/.test(name))
        .map((name) => join('clients', client, name)),
    );
    expect(clients).toContain('clients/typescript/package.json');
    expect(clients.map((file) => [file, versionIn(file)])).toEqual(
      clients.map((file) => [file, versionIn('package.json')]),
    );
  });
});

describe('scripts/openapi-breaks.js', () => {
  const TEXT = { type: 'string' };
  const OBJECT = {
    type: 'object',
    required: ['id'],
    properties: { id: TEXT, note: { type: ['string', 'null'] } },
  };
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  /** A document with one operation that takes and replies with `Thing`, or with these instead. */
  const withOperation = (changes: object = {}, schema: object = OBJECT, more: object = {}) => ({
    paths: {
      '/things/{id}': {
        put: {
          parameters: [
            { in: 'path', name: 'id', required: true, schema: TEXT },
            { in: 'query', name: 'kind', schema: { type: 'string', enum: ['a', 'b'], maxLength: 9 } },
          ],
          requestBody: content({ $ref: '#/components/schemas/Thing' }),
          responses: { 200: content({ $ref: '#/components/schemas/Thing' }), 404: {} },
          security: [],
          ...changes,
        },
      },
    },
    components: { schemas: { Thing: schema } },
    webhooks: { 'thing.made': { post: { requestBody: content(TEXT) } } },
    ...more,
  });
  const kind = (schema: object, others: object = {}) => ({
    parameters: [{ in: 'query', name: 'kind', schema, ...others }],
  });
  const { id, note } = OBJECT.properties;

  it.each<[what: string, newer: object, breaks: readonly string[]]>([
    ['an operation that is gone', { ...withOperation(), paths: {} }, ['PUT /things/{}: has been removed']],
    ['a webhook that is gone', withOperation({}, OBJECT, { webhooks: {} }), ['thing.made: has been removed']],
    [
      'a parameter that is gone, since unknown ones are refused',
      withOperation({ parameters: [] }),
      ['PUT /things/{}: no longer has query kind'],
    ],
    [
      'a parameter that is required',
      withOperation(kind({ type: 'string', enum: ['a', 'b'] }, { required: true })),
      ['PUT /things/{}: now requires query kind'],
    ],
    [
      'a value that is no longer accepted',
      withOperation(kind({ type: 'string', enum: ['a', 'c'] })),
      ['PUT /things/{} query kind: no longer accepts b'],
    ],
    [
      'a value that is no longer accepted, of a type with a name and a description',
      withOperation(kind({ description: 'Kind', allOf: [{ $ref: '#/components/schemas/Kind' }] }), OBJECT, {
        components: { schemas: { Thing: OBJECT, Kind: { type: 'string', enum: ['a'] } } },
      }),
      ['PUT /things/{} query kind: no longer accepts b'],
    ],
    [
      'another type',
      withOperation(kind({ type: 'integer' })),
      ['PUT /things/{} query kind: no longer accepts string'],
    ],
    [
      'a narrower limit',
      withOperation(kind({ type: 'string', enum: ['a', 'b'], maxLength: 8, minLength: 1 })),
      ['PUT /things/{} query kind: minLength is now 1', 'PUT /things/{} query kind: maxLength is now 8'],
    ],
    [
      'a field that is gone, from request and reply',
      withOperation({}, { ...OBJECT, properties: { id } }),
      ['Thing: no longer has note'],
    ],
    [
      'a field that requests must have',
      withOperation({}, { ...OBJECT, required: ['id', 'note'] }),
      ['Thing: now requires note'],
    ],
    [
      'a field that replies may lack',
      withOperation({}, { ...OBJECT, required: [] }),
      ['Thing: may now lack id'],
    ],
    [
      'null in replies',
      withOperation({}, { ...OBJECT, properties: { id: { anyOf: [TEXT, { type: 'null' }] }, note } }),
      ['Thing.id: can now be null'],
    ],
    [
      'null no longer in requests',
      withOperation({}, { ...OBJECT, properties: { id, note: TEXT } }),
      ['Thing.note: no longer accepts null'],
    ],
    [
      'a reply with another status',
      withOperation({ responses: { 202: content(TEXT) } }),
      ['PUT /things/{}: no longer has 200'],
    ],
    [
      'another media type',
      withOperation({ requestBody: { content: { 'text/csv': { schema: TEXT } } } }),
      ['PUT /things/{} body: no longer has application/json'],
    ],
    [
      'a key that is needed',
      withOperation({ security: [{ bearer: [] }] }),
      ['PUT /things/{}: now needs an API key'],
    ],
  ])('finds %s', (_, newer, breaks) => {
    expect(breaksBetween(withOperation(), newer)).toEqual(breaks);
  });

  it('compares alternatives by their names, of which there may be more', () => {
    const one = (type: string) => ({ type: 'object', required: ['is'], properties: { is: { type } } });
    const events = (names: string[], schemas: object) => ({
      paths: {},
      webhooks: { any: { post: { requestBody: content({ anyOf: names.map(($ref) => ({ $ref })) }) } } },
      components: { schemas },
    });
    const names = ['A', 'B', 'C'].map((name) => `#/components/schemas/${name}`);
    const older = events(names.slice(0, 2), { A: one('string'), B: one('string') });
    const more = events(names, { A: one('string'), B: one('string'), C: one('integer') });
    expect(breaksBetween(older, more)).toEqual([]);
    expect(breaksBetween(more, older)).toEqual(['any: no longer has C']);
    const other = events(names, { A: one('integer'), B: one('string'), C: one('integer') });
    expect(breaksBetween(older, other)).toEqual(['A.is: can now be integer']);
  });

  it('permits what versioning.md does: new operations, fields, values and wider limits', () => {
    const newer = withOperation(
      kind({ type: ['string', 'null'], enum: ['a', 'b', 'c'], maxLength: 10 }),
      { ...OBJECT, properties: { id, note, more: { type: 'integer' } } },
      { webhooks: { 'thing.made': { post: { requestBody: content(TEXT) } }, 'thing.lost': {} } },
    );
    const { put } = newer.paths['/things/{id}'];
    expect(
      breaksBetween(withOperation(), { ...newer, paths: { '/things/{thingId}': { put, get: put } } }),
    ).toEqual([]);
  });
});
