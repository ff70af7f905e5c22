import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { compress } from './compression.js';
import { JsonText } from './json-text.js';
import { setReplyHeaders } from './reply-headers.js';
import { plainUrl } from '../server/plain-url.js';

/** Characters from which on Node sends bytes faster than a string. */
const LONG = 16_384;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Express, except that JSON bypasses the overhead of `response.json`: headers and body go out in one write. */
export class ReplyAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, status?: number): unknown {
    response.slot?.();
    const json = jsonOf(body);
    if (json === null) return super.reply(response, body, status);
    if (status !== undefined) response.status(status);
    setReplyHeaders(response, body);
    if (body instanceof JsonText && body.revision !== undefined)
      response.setHeader('ETag', `"${body.revision}"`);
    // Existed already; also when an `Idempotency-Key` repeats the reply.
    if (response.statusCode === 201 && !response.hasHeader('Location')) response.status(200);
    return sendJson(response, json);
  }

  /** URLs without a route are left to `answerUnknown`, which counts them and is the same for all of them. */
  override setNotFoundHandler(): void {}

  /** Express replaces prototypes of requests and responses, which V8 makes slow; here they are created with them. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {
      /** Also called by handlers that write their reply themselves. */
      override end(...sent: never[]): this {
        (this as this & Partial<Response>).slot?.();
        return super.end(...sent);
      }
    }
    app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
    app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
    const classes = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
    this.httpServer = createServer(classes, (request, response) => {
      request.url = plainUrl(request.url!);
      app(request as Request, response as Response);
    });
  }
}

/** Null for anything not sent as JSON: files, text, nothing. */
function jsonOf(body: unknown): string | Buffer | null {
  if (body instanceof JsonText) return body.toBytes();
  const isFile = body instanceof StreamableFile || body instanceof Error;
  if (typeof body !== 'object' || body === null || isFile) return null;
  const text = JSON.stringify(body);
  return text.length > LONG ? Buffer.from(text) : text;
}

function sendJson(response: Response, json: string | Buffer): Response {
  response.setHeader('Content-Type', JSON_TYPE);
  // Express decides whether the client's copy is current, and then sends no body.
  if (mayBeCurrent(response) && response.req.fresh) return response.send(json);
  const body = response.replyOptions?.compressed ? compress(response, json) : json;
  response.setHeader('Content-Length', Buffer.byteLength(body));
  return response.end(response.req.method === 'HEAD' ? undefined : body);
}

const mayBeCurrent = ({ req, replyOptions }: Response): boolean =>
  req.headers['if-none-match'] !== undefined && replyOptions?.etag !== 'partial';
