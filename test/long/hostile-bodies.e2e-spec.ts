import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, recording, summary, transcript, user } from '../factories/workspace.js';
import { openapi } from '../support/contract.js';
import { startService, type TestService } from '../support/service.js';

const MB = 1_000_000;
const members = (count: number, member: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => member(index)).join(',');

const TOO_DEEP = 'body: nested more than 32 levels deep';
const TOO_MANY = 'body: contains more than 10,000 values';

/** A few kilobytes each when compressed. With a message: rejected before it is parsed. */
const BOMBS: readonly (readonly [name: string, text: string, message?: string])[] = [
  ['lists in lists', '['.repeat(2 * MB), TOO_DEEP],
  ['lists in lists, one level more than allowed', '['.repeat(33) + ']'.repeat(33), TOO_DEEP],
  ['objects in objects', '{"a":'.repeat(MB / 4), TOO_DEEP],
  ['lists in a known field', `{"title":${'['.repeat(MB)}`, TOO_DEEP],
  ['a list of numbers', `[${'1,'.repeat(MB / 2)}0]`, TOO_MANY],
  ['many unknown fields', `{${members(100_000, (index) => `"k${index}":1`)}}`, TOO_MANY],
  ['one field many times', `{${members(100_000, () => '"title":"x"')}}`, TOO_MANY],
  ['as many unknown fields as are parsed', `{${members(9_990, (index) => `"k${index}":1`)}}`],
  ['long names', `{${members(1_900, (index) => `"${'k'.repeat(1_000)}${index}":1`)}}`],
  ['__proto__', `{${members(4_000, () => '"__proto__":{"a":1}')}}`],
  ['a number of a million digits', '9'.repeat(MB)],
  ['a text of escapes', `{"title":"${'\\u0041'.repeat(MB / 6)}"}`],
  ['blanks', ' '.repeat(2 * MB)],
  [
    'zeros, more than any operation accepts',
    '\0'.repeat(30 * MB),
    'The request body is larger than 2097152 bytes.',
  ],
];

const PACKED = BOMBS.map(([name, text, message]) => ({ name, bytes: gzipSync(text), message }));
/** For operations that read their body like all others. */
const FEW = PACKED.filter(({ name }) => /^(lists in lists|as many unknown|zeros)/.test(name));

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

const operation = (method: string, path: string): Operation => ({ name: `${method} ${path}`, method, path });

/** Operations in the API document and others. Without those that read, as `fetch` sends no body with them. */
const OPERATIONS = [
  ...Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => operation(method.toUpperCase(), path)),
  ),
  operation('POST', '/s/{token}'),
].filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));

describe('A hostile body', () => {
  let service: TestService;
  const own = recording('Ada', { title: 'Untouched', transcript: transcript(3), summary });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada', { plan: 'PRO' })], recordings: [own] });
  });
  afterAll(() => service.stop());

  async function send(
    { method, path }: Operation,
    body: Uint8Array,
  ): Promise<{ status: number; text: string }> {
    const ids: Record<string, string> = { id: own.id, segmentId: '0' };
    const response = await fetch(
      service.api.base + path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? id()),
      {
        method,
        headers: {
          authorization: `Bearer ${keyOf('Ada')}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'tus-resumable': '1.0.0',
        },
        body,
      },
    );
    return { status: response.status, text: await response.text() };
  }

  it.each(OPERATIONS)('is rejected with 4xx and a short reply by $name', async (one) => {
    for (const { name, bytes } of FEW) await expectRejected(one, name, bytes);
  });

  it.each([
    operation('PATCH', '/api/v1/recordings/{id}'),
    operation('PUT', '/api/v1/recordings/{id}/summary'),
    operation('PATCH', '/api/v1/recordings/{id}/transcript/speakers'),
    operation('POST', '/api/v1/api-keys'),
  ])(
    'of any kind is rejected, if possible before parsing, with the limit it exceeds, by $name',
    async (one) => {
      for (const { name, bytes, message } of PACKED) {
        const text = await expectRejected(one, name, bytes);
        if (message === undefined) continue;
        const { error } = JSON.parse(text) as { error: { message: string } };
        expect([name, error.message]).toEqual([name, message]);
      }
    },
  );

  async function expectRejected(one: Operation, name: string, bytes: Uint8Array): Promise<string> {
    const { status, text } = await send(one, bytes);
    expect([name, status >= 400 && status < 500 ? '4xx' : status]).toEqual([name, '4xx']);
    expect([name, text.length < 4_000 ? 'short' : text.length]).toEqual([name, 'short']);
    return text;
  }

  it('leaves the service unaffected', async () => {
    const { status, body } = await service.api.as(keyOf('Ada')).get(`/recordings/${own.id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      title: 'Untouched',
      transcription: { status: 'completed', segmentsCount: 3 },
      summary: { status: 'completed', content: summary.content },
    });
  });
});
