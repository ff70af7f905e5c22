import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Res, StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { JsonText } from '../../../src/platform/http/replies/json-text.js';
import { ReplyAdapter } from '../../../src/platform/http/replies/reply.adapter.js';

@Controller()
class Replies {
  @Get('json')
  json(): object {
    return { data: 1 };
  }

  @Get('text')
  text(): JsonText {
    return new JsonText(['{"data":', '1}']);
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['file']));
  }

  @Get('own')
  own(@Res() response: Response): void {
    response.send('own');
  }

  @Get('error')
  error(): never {
    throw new Error('a bug');
  }
}

@Module({ controllers: [Replies] })
class ReplyModule {}

describe('a reply', () => {
  let app: NestExpressApplication;
  let base: string;
  let given = 0;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(ReplyModule, new ReplyAdapter(), {
      logger: false,
    });
    app.use((_request: Request, response: Response, next: NextFunction) => {
      response.slot = () => void (given += 1);
      next();
    });
    await app.listen(0, '127.0.0.1');
    base = await app.getUrl();
  });
  beforeEach(() => void (given = 0));
  afterAll(() => app.close());

  it.each(['json', 'text', 'file', 'own', 'error'])(
    'gives the slot of its request back: %s',
    async (path) => {
      const reply = await fetch(`${base}/${path}`);
      await reply.arrayBuffer();
      expect(given).toBeGreaterThan(0);
    },
  );
});
