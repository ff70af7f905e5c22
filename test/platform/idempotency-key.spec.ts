import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { CallerSecrets, type RequestIdentity } from '../../src/platform/idempotency/caller-secrets.js';
import { readIdempotencyKey } from '../../src/platform/idempotency/idempotency-key.js';

function read(...values: string[]): string | undefined {
  const request = new IncomingMessage(new Socket());
  request.headers = values.length > 0 ? { 'idempotency-key': values.join(', ') } : {};
  request.headersDistinct = { 'idempotency-key': values };
  return readIdempotencyKey(request);
}

describe('an Idempotency-Key', () => {
  it.each([
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"8e03978e"', '8e03978e'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['a"b', 'a"b'],
    ['a,b;c=1', 'a,b;c=1'],
    [`"${'a'.repeat(255)}"`, 'a'.repeat(255)],
  ])('%j is %j', (given, key) => expect(read(given)).toBe(key));

  it.each(['', '""', '"a', '"a"b', 'a b', 'é', 'a'.repeat(256)])('is refused if it is %j', (given) =>
    expect(() => read(given)).toThrow(/^Idempotency-Key: must be 1 to 255 visible ASCII characters/),
  );

  it('is refused if it is sent twice', () =>
    expect(() => read('a', 'a')).toThrow('Idempotency-Key: must be sent only once'));
});

describe('what is stored about a request', () => {
  const ada = new CallerSecrets('mrs_ada');
  const eve = new CallerSecrets('mrs_eve');
  const request: RequestIdentity = {
    method: 'POST',
    url: '/api/v1/recordings',
    precondition: undefined,
    body: { title: 'a', list: [1, 2], inner: { x: 1, y: null } },
  };
  const print = (changes: Partial<RequestIdentity> = {}): string =>
    ada.fingerprint({ ...request, ...changes }).toString('hex');

  it('is the same for the same JSON in another order', () =>
    expect(print({ body: { inner: { y: null, x: 1 }, list: [1, 2], title: 'a' } })).toBe(print()));

  it.each([
    ['method', { method: 'PATCH' }],
    ['URL', { url: '/api/v1/recordings?a=1' }],
    ['precondition', { precondition: '"1"' }],
    ['a value', { body: { ...(request.body as object), title: 'b' } }],
    ['order of a list', { body: { ...(request.body as object), list: [2, 1] } }],
    ['a further member', { body: { ...(request.body as object), more: null } }],
    ['a member __proto__', { body: JSON.parse('{"__proto__":1,"title":"a"}') }],
    ['no body', { body: undefined }],
  ])('differs with: %s', (_, changes) => expect(print(changes)).not.toBe(print()));

  it('can be read with the same API key only, and for the same request', () => {
    const id = ada.idOf('a');
    const stored = ada.encryptReply(Buffer.from('secret'), id);
    expect(stored.includes('secret')).toBe(false);
    expect(ada.decryptReply(stored, id).toString()).toBe('secret');
    expect(() => eve.decryptReply(stored, id)).toThrow();
    expect(() => ada.decryptReply(stored, ada.idOf('b'))).toThrow();
    expect(() => ada.decryptReply(Buffer.from(stored.subarray(1)), id)).toThrow();
  });
});
