import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import fc from '../../support/properties.js';
import { openFile } from '../../../src/platform/http/bodies/sent-file.js';
import { BOUNDARY, filePart, form, FORM_TYPE } from '../../support/forms.js';

type Body = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

function requestOf(body: Body, contentType: string = FORM_TYPE, more: Record<string, string> = {}): Request {
  const headers: Record<string, string> = {
    'transfer-encoding': 'chunked',
    'content-type': contentType,
    ...more,
  };
  const get = (name: string): string | undefined => headers[name.toLowerCase()];
  return Object.assign(Readable.from(body, { objectMode: false }), { headers, get }) as unknown as Request;
}

/** The content as it is delivered, and then the failure, if there is one. */
async function delivered(request: Request): Promise<{ content: Buffer; error: Error | null }> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of (await openFile(request)()).content) pieces.push(piece);
    return { content: Buffer.concat(pieces), error: null };
  } catch (error) {
    return { content: Buffer.concat(pieces), error: error as Error };
  }
}

function inPieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  return pieces;
}

/** Contents that nearly contain the boundary. */
const tricky = fc
  .array(
    fc.constantFrom(
      '\r',
      '\n',
      '-',
      '--',
      '\r\n',
      `\r\n--${BOUNDARY.slice(0, -1)}`,
      `--${BOUNDARY}`,
      BOUNDARY,
      'a',
      '\0',
      'ÿ',
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.from(parts.join(''), 'latin1'))
  .filter((bytes) => !`\r\n${bytes.toString('latin1')}`.includes(`\r\n--${BOUNDARY}`));
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });

describe('the file of a form', () => {
  it('is what was sent, however it arrives and whatever surrounds it', async () => {
    await fc.assert(
      fc.asyncProperty(
        tricky,
        sizes,
        fc.constantFrom('', 'preamble\r\n', '\r\n'),
        fc.constantFrom('', 'epilogue', '\r\n--'),
        async (content, lengths, before, after) => {
          const body = Buffer.concat([Buffer.from(before), form(filePart(content)), Buffer.from(after)]);
          expect(await delivered(requestOf(inPieces(body, lengths)))).toEqual({ content, error: null });
        },
      ),
    );
  });

  it('is never delivered in full by a form that is cut off', async () => {
    const content = Buffer.from('a\r\n--b\r\n'.repeat(30));
    const whole = form(filePart(content)).subarray(0, -2);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), sizes, async (length, lengths) => {
        const { content: got, error } = await delivered(
          requestOf(inPieces(whole.subarray(0, length), lengths)),
        );
        expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
        expect(got.length).toBeLessThan(content.length);
      }),
    );
  });

  it.each([
    ['multipart/form-data', 'VALIDATION_ERROR', 'needs a boundary'],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, 'VALIDATION_ERROR', 'of 1 to 70 characters'],
    [
      `multipart/mixed; boundary=${BOUNDARY}`,
      'UNSUPPORTED_MEDIA_TYPE',
      '"multipart/mixed" is not taken; send exactly one file',
    ],
    [`Multipart/Related; boundary=${BOUNDARY}`, 'UNSUPPORTED_MEDIA_TYPE', 'is not taken'],
  ])('is not taken from a body of type %s', async (type, code, message) => {
    const request = requestOf([form(filePart('Hello'))], type);
    expect((await delivered(request)).error).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});

describe('a hostile form', () => {
  /** Endless; counts the bytes that were read of it. */
  function endless(begin: Uint8Array, more: string): { body: AsyncIterable<Uint8Array>; read: () => number } {
    const chunk = Buffer.from(more.repeat(Math.ceil(16_384 / more.length)), 'latin1');
    let read = 0;
    async function* body(): AsyncIterable<Uint8Array> {
      yield begin;
      for (;;) {
        read += chunk.length;
        yield chunk;
      }
    }
    return { body: body(), read: () => read };
  }

  const HEAD = Buffer.from(`--${BOUNDARY}\r\n`);
  const NONE = Buffer.alloc(0);

  it.each([
    ['a preamble', NONE, 'x', /does not begin with the boundary/],
    [
      'the value of a header',
      Buffer.concat([HEAD, Buffer.from('X: ')]),
      'x',
      /more than 16384 bytes besides/,
    ],
    ['an epilogue', form(filePart('Hello')), 'x', /more than 16384 bytes besides/],
    ['boundaries', NONE, `\r\n--${BOUNDARY}`, /more than one part/],
    ['files', NONE, filePart('Hello').toString('latin1'), /more than one part/],
  ])('that has an endless number of %s is refused at its beginning', async (_, begin, more, reason) => {
    const { body, read } = endless(begin, more);
    const request = requestOf(body);
    const { error } = await delivered(request);
    expect(error?.message).toMatch(reason);
    // Of which most is only what is read ahead.
    expect(read()).toBeLessThan(2 ** 21);
    request.destroy();
  });
});
