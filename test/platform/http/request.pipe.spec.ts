import { describe, expect, it } from '@jest/globals';
import { IntegerParameter } from '../../../src/platform/http/fields/number-fields.js';
import { TextField } from '../../../src/platform/http/fields/text-fields.js';
import { TimestampField } from '../../../src/platform/http/fields/time-fields.js';
import { Clock } from '../../../src/platform/clock/clock.js';
import { OutboundClient } from '../../../src/platform/outbound/outbound-client.js';
import { RequestPipe } from '../../../src/platform/http/requests/request.pipe.js';

class Page {
  @IntegerParameter('Size', { min: 1, max: 100, default: 20, example: 20 })
  limit: number = 20;

  @TextField('Text', { max: 5, optional: true, example: 'x' })
  search?: string;
}

class Nothing {}

const pipe = new RequestPipe(new Clock(), new OutboundClient({ allowPrivate: false }));
const read = async (
  value: unknown,
  metatype: new () => object = Page,
  type: 'body' | 'query' = 'query',
): Promise<unknown> => pipe.transform(value, { type, metatype });
const messageOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );
const parsed = (json: string): unknown => JSON.parse(json);

describe('the request pipe', () => {
  it('creates the DTO, with defaults for missing fields', async () => {
    const page = await read({ search: 'a' });
    expect(page).toBeInstanceOf(Page);
    expect(page).toEqual({ limit: 20, search: 'a' });
    expect(await read({ limit: '5' })).toEqual({ limit: 5 });
  });

  it('creates the same for an empty query, frozen as it is shared', async () => {
    const page = await read({});
    expect(page).toBeInstanceOf(Page);
    expect(page).toEqual({ limit: 20 });
    expect(await read(undefined)).toBe(page);
    expect(Object.isFrozen(page)).toBe(true);
  });

  it('creates the same for a query that was sent before, frozen, and another for any other', async () => {
    const page = await read({ limit: '7', search: 'a' });
    expect(await read({ limit: '7', search: 'a' })).toBe(page);
    expect(Object.isFrozen(page)).toBe(true);
    expect(await read({ limit: '7', search: 'b' })).toEqual({ limit: 7, search: 'b' });
    for (let n = 0; n < 200; n += 1)
      expect(await read({ search: String(n) })).toEqual({ limit: 20, search: String(n) });
    expect(await read({ limit: '7', search: 'a' })).toEqual(page);
  });

  it('rejects a query every time, and creates a new object for every body', async () => {
    for (let time = 0; time < 2; time += 1)
      await expect(read({ limit: '0' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const body = { limit: 7 };
    expect(await read(body, Page, 'body')).not.toBe(await read(body, Page, 'body'));
  });

  it('rejects an empty body if a field is required, every time', async () => {
    class Title {
      @TextField('Title', { max: 5, example: 'x' }) title: string;
    }
    for (let time = 0; time < 2; time += 1) {
      await expect(read({}, Title, 'body')).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: 'title: is required and must be a string of at most 5 characters, without NUL characters',
      });
    }
  });

  it.each([[[]], [[{ limit: '5' }]], [null], [42], ['limit'], [true]])(
    'rejects %j as a body',
    async (body) => {
      await expect(read(body, Page, 'body')).rejects.toMatchObject({
        message: 'body: must be a JSON object',
      });
    },
  );

  it('reports every error, in known and unknown fields', async () => {
    await expect(read({ limit: '0', sort: 'title', search: 'too long', page: '2' })).rejects.toMatchObject({
      message: [
        'sort: unknown query parameter (allowed: limit, search)',
        'page: unknown query parameter (allowed: limit, search)',
        'limit: must be an integer from 1 to 100',
        'search: must be a string of at most 5 characters, without NUL characters',
      ].join('; '),
    });
    await expect(read({ sort: 1 }, Page, 'body')).rejects.toMatchObject({
      message: 'sort: unknown field (allowed: limit, search)',
    });
    await expect(read({ sort: 1 }, Nothing, 'body')).rejects.toMatchObject({
      message: 'sort: unknown field (none allowed)',
    });
  });

  it.each([
    ['limt', 'limit'],
    ['LIMIT', 'limit'],
    ['serach', 'search'],
    ['searchText', 'search'],
    ['sear', 'search'],
    ['dateFrom', 'date_from'],
    ['from', 'date_from'],
    ['dat_to', 'date_to'],
    ['page', null],
    ['q', null],
    ['', null],
    ['limit'.repeat(10_000), null],
  ])('suggests for %.20s: %s', async (name, nearest) => {
    class Between extends Page {
      @TimestampField('From', { optional: true, example: '2026-01-31' }) date_from?: string;
      @TimestampField('To', { optional: true, example: '2026-01-31' }) date_to?: string;
    }
    const hint = nearest === null ? 'allowed: ' : `did you mean ${nearest}?`;
    expect(await messageOf(read({ [name]: '1' }, Between))).toContain(`: unknown query parameter (${hint}`);
  });

  it('reports the first ten errors, each name short and printable', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    const message = await messageOf(read(many));
    expect(message.match(/unknown query parameter/g)).toHaveLength(10);
    expect(message).toContain('field9:');
    expect(message).toMatch(/; and 4990 more$/);
    const long = await messageOf(read({ [`a\n"\ud83d${'x'.repeat(1_000)}`]: 1 }));
    expect(long).toBe(`a "\ufffd${'x'.repeat(36)}...: unknown query parameter (allowed: limit, search)`);
  });

  it('reports a field that would be dropped beside the others', async () => {
    const query = parsed('{"limit":"0","__proto__":"1","sort":"1"}');
    expect((await messageOf(read(query))).split('; ').map((reason) => reason.split(':')[0])).toEqual([
      '__proto__',
      'sort',
      'limit',
    ]);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'rejects a field named %s, and does not touch prototypes',
    async (name) => {
      for (const value of ['1', '{"polluted":true}', '{"prototype":{"polluted":true}}', 'null']) {
        await expect(read(parsed(`{"search":"a","${name}":${value}}`))).rejects.toMatchObject({
          message: `${name}: unknown query parameter (allowed: limit, search)`,
        });
      }
      expect('polluted' in {}).toBe(false);
    },
  );

  it('never reads an array or object in a field that accepts neither', async () => {
    const refuse = (): never => {
      throw new Error('looked into');
    };
    const untouchable = new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });
    await expect(read({ search: untouchable, other: untouchable })).rejects.toMatchObject({
      message: [
        'other: unknown query parameter (allowed: limit, search)',
        'search: must be a string of at most 5 characters, without NUL characters',
      ].join('; '),
    });
  });

  it('passes everything else through unchanged', async () => {
    for (const [type, metatype] of [
      ['param', String],
      ['custom', Page],
    ] as const) {
      expect(await pipe.transform('x', { type, metatype })).toBe('x');
    }
  });
});
