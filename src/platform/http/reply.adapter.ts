import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { JsonText } from './json-text.js';

/** From so many characters on Node is quicker to send bytes than a string. */
const LONG = 16_384;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Express, but that JSON goes out without the detours of `response.json`, head and body in one write. */
export class ReplyAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, status?: number): unknown {
    const json = jsonOf(body);
    if (json === null) return super.reply(response, body, status);
    if (status !== undefined) response.status(status);
    if (body instanceof JsonText && body.revision !== undefined)
      response.setHeader('ETag', `"${body.revision}"`);
    return sendJson(response, json);
  }

  /**
   * Express changes the prototype of each request and response to its own, after which Node runs everything on them the
   * slow way. Here they are made with it.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
    app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
    this.httpServer = createServer({ IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, app);
  }
}

/** Null for what is not sent as JSON: files, texts, nothing at all. */
function jsonOf(body: unknown): string | Buffer | null {
  if (body instanceof JsonText) return body.toBytes();
  const isFile = body instanceof StreamableFile || body instanceof Error;
  if (typeof body !== 'object' || body === null || isFile) return null;
  const text = JSON.stringify(body);
  return text.length > LONG ? Buffer.from(text) : text;
}

function sendJson(response: Response, json: string | Buffer): Response {
  response.setHeader('Content-Type', JSON_TYPE);
  // Whether the client has it already is for Express to say.
  if (response.req.headers['if-none-match'] !== undefined) return response.send(json);
  response.setHeader('Content-Length', Buffer.byteLength(json));
  return response.end(response.req.method === 'HEAD' ? undefined : json);
}
