import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { forgetRest, readAhead } from '../../../src/platform/http/bodies/sent-file.js';

const chunks = Array.from({ length: 200 }, (_, n) => Buffer.from(`${n};`));
const whole = Buffer.concat(chunks).toString();

describe('a body that is read ahead', () => {
  it('is delivered unchanged, however late it is read', async () => {
    const body = readAhead(Readable.from(chunks, { objectMode: false }));
    await setImmediate();
    const read: Uint8Array[] = [];
    for await (const chunk of body) read.push(chunk);
    expect(Buffer.concat(read).toString()).toBe(whole);
  });

  it.each([
    ['an error', new Error('connection lost'), 'connection lost'],
    ['no error', undefined, 'Premature close'],
  ])('that breaks off with %s is delivered up to there, then fails', async (_, error, message) => {
    const request = new PassThrough();
    const body = readAhead(request);
    request.write('first');
    await setImmediate();
    const closed = new Promise((resolve) => request.once('close', resolve));
    request.destroy(error);
    await closed;
    const read: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const chunk of body) read.push(String(chunk));
    };
    await expect(reading()).rejects.toThrow(message);
    expect(read).toEqual(['first']);
  });

  it.each([
    ['before it was read', 0],
    ['after a chunk', 1],
  ])('is discarded to its end when abandoned %s', async (_, taken) => {
    const request = Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
    const ended = once(request, 'end');
    const body = readAhead(request)[Symbol.asyncIterator]();
    for (let n = 0; n < taken; n += 1) await body.next();
    await body.return?.();
    forgetRest(request);
    await ended;
  });
});
