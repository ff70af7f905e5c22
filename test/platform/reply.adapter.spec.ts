import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpCode, Module, Post, StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import { JsonText } from '../../src/platform/http/json-text.js';
import { ReplyAdapter } from '../../src/platform/http/reply.adapter.js';
import { ReturnsRevision } from '../../src/platform/http/revisions.js';
import { rawRequest, sendRaw } from '../support/client.js';

const TEXT = '{"data":"Zoë 🎬","count":1}';
const VALUE = { data: 'Zoë 🎬', count: 1 };

@Controller()
class Replies {
  @Get('text')
  text(): JsonText {
    return new JsonText([TEXT.slice(0, 3), TEXT.slice(3)]);
  }

  @Get('value')
  value(): object {
    return VALUE;
  }

  @Get('text-with-revision')
  @ReturnsRevision()
  textWithRevision(): JsonText {
    return new JsonText([TEXT], 7);
  }

  @Get('value-with-revision')
  @ReturnsRevision()
  valueWithRevision(): object {
    return { data: { revision: 7 } };
  }

  @Get('long')
  long(): JsonText {
    return new JsonText(['{"data":"', 'ü'.repeat(2_500), 'ü'.repeat(2_500), '"}']);
  }

  @Post('created')
  @HttpCode(201)
  created(): JsonText {
    return new JsonText([TEXT.slice(0, 3), TEXT.slice(3)]);
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['a', 'b']), { type: 'text/plain' });
  }

  @Get('nothing')
  nothing(): void {}

  @Get('words')
  words(): string {
    return 'words';
  }
}

@Module({ controllers: [Replies] })
class RepliesModule {}

describe('a reply', () => {
  let app: NestExpressApplication;
  let base: string;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(RepliesModule, new ReplyAdapter(), {
      logger: false,
    });
    app.disable('etag');
    app.use('/long', compression());
    await app.listen(0, '127.0.0.1');
    base = await app.getUrl();
  });
  afterAll(() => app.close());

  it.each(['text', 'value', 'text-with-revision'])('is JSON with a Content-Length: %s', async (path) => {
    const response = await fetch(`${base}/${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-length')).toBe('30');
    expect(response.headers.get('transfer-encoding')).toBeNull();
    expect(await response.text()).toBe(TEXT);
  });

  it.each(['text', 'value', 'text-with-revision'])(
    'to HEAD has the same headers and no body: %s',
    async (path) => {
      const [got, asked] = [
        await fetch(`${base}/${path}`),
        await fetch(`${base}/${path}`, { method: 'HEAD' }),
      ];
      expect(await asked.text()).toBe('');
      const headers = (reply: Response) => [...reply.headers.keys()].filter((name) => name !== 'keep-alive');
      const length = (reply: Response) => reply.headers.get('content-length');
      expect([headers(asked), length(asked)]).toEqual([headers(got), length(got)]);
    },
  );

  it('has the status of its operation', async () => {
    const response = await fetch(`${base}/created`, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([201, TEXT]);
  });

  it.each(['text-with-revision', 'value-with-revision'])('has its revision as ETag: %s', async (path) => {
    expect((await fetch(`${base}/${path}`)).headers.get('etag')).toBe('"7"');
    // `fetch` would add `Cache-Control: no-cache`.
    const raw = rawRequest('GET', `/${path}`, { headers: { 'If-None-Match': '"7"' } });
    const known = await sendRaw(base, raw);
    expect([known.status, known.body, known.headers.get('content-length')]).toEqual([304, '', null]);
    const old = await fetch(`${base}/${path}`, { headers: { 'If-None-Match': '"6"' } });
    expect(old.status).toBe(200);
    expect(await old.json()).toHaveProperty('data');
    expect(old.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('has no ETag without a revision', async () => {
    expect((await fetch(`${base}/text`)).headers.get('etag')).toBeNull();
  });

  it('is compressed on request', async () => {
    const response = await fetch(`${base}/long`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('content-length')).toBeNull();
    expect(await response.json()).toEqual({ data: 'ü'.repeat(5_000) });
    const plain = await fetch(`${base}/long`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('content-length')).toBe('10011');
  });

  it('that is not JSON is sent by Express', async () => {
    const file = await fetch(`${base}/file`);
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/plain', 'ab']);
    const words = await fetch(`${base}/words`);
    expect([words.headers.get('content-type'), await words.text()]).toEqual([
      'text/html; charset=utf-8',
      'words',
    ]);
    expect(await (await fetch(`${base}/nothing`)).text()).toBe('');
  });
});
