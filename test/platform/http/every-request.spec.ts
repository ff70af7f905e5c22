import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import { maskPath } from '../../../src/contract/secret-paths.js';
import { everyRequest } from '../../../src/platform/http/server/every-request.js';
import type { LoggedCaller } from '../../../src/platform/http/server/request-log.js';
import { AppLogger } from '../../../src/platform/logging/app-logger.js';

describe('every request', () => {
  let server: Server;
  let base: string;
  let lines: Record<string, unknown>[];
  let arrived: Promise<unknown>;

  async function serve(...handlers: RequestHandler[]): Promise<void> {
    server = express()
      .disable('x-powered-by')
      .use(...handlers)
      .listen(0, '127.0.0.1');
    arrived = once(server, 'request');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function logged(): Promise<Record<string, unknown>> {
    while (lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toHaveLength(1);
    return lines[0]!;
  }

  const logger = (): AppLogger =>
    new AppLogger('debug', {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });

  beforeEach(() => {
    lines = [];
  });
  function end(): void {
    server.close();
    server.closeAllConnections();
  }
  afterEach(end);

  it('is one log line: the caller, the request and the outcome', async () => {
    await serve(
      everyRequest(logger(), maskPath),
      (request: Request & { caller?: LoggedCaller }, response) => {
        request.caller = { id: 'ada', serviceOf: null, session: null, apiKey: { prefix: 'mrs_ada' } };
        response.status(418).send('short and stout');
      },
    );
    await fetch(`${base}/api/v1/pots?lid=off`, { method: 'PUT', headers: { 'x-request-id': 'mine' } });
    expect(await logged()).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      requestId: 'mine',
      method: 'PUT',
      path: '/api/v1/pots',
      status: 418,
      address: '127.0.0.1',
      userId: 'ada',
      apiKeyPrefix: 'mrs_ada',
      ms: expect.any(Number),
      msg: 'request',
    });
  });

  it('is also one log line when the client disconnects before the reply', async () => {
    await serve(everyRequest(logger(), maskPath), () => {});
    const leave = new AbortController();
    const left = fetch(`${base}/api/v1/me`, { signal: leave.signal }).catch(() => 'left');
    await arrived;
    leave.abort();
    expect(await left).toBe('left');
    expect(await logged()).toMatchObject({ level: 30, path: '/api/v1/me', msg: 'request' });
  });

  it('gets the headers that helmet sends', async () => {
    await serve(helmet({ strictTransportSecurity: false }), (_, response) => void response.send('x'));
    const usual = Object.fromEntries((await fetch(base)).headers);
    end();
    await serve(everyRequest(logger(), maskPath), (_, response) => void response.send('x'));
    const { 'x-request-id': id, ...sent } = Object.fromEntries((await fetch(base)).headers);
    const policy = usual['content-security-policy']!.replace(';upgrade-insecure-requests', '')
      .replace("base-uri 'self'", "base-uri 'none'")
      .replace("frame-ancestors 'self'", "frame-ancestors 'none'");
    expect(policy).toMatch(/base-uri 'none'.*frame-ancestors 'none'/);
    expect(id).toEqual(expect.any(String));
    expect(sent).toEqual({ ...usual, 'content-security-policy': policy, date: sent['date'] });
  });

  it('sends few headers with API replies, which forbid browsers to render them', async () => {
    await serve(everyRequest(logger(), maskPath), (_, response) => void response.json({}));
    const {
      date: _date,
      'x-request-id': _id,
      ...sent
    } = Object.fromEntries((await fetch(`${base}/api/v1/me`)).headers);
    expect(sent).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(Object.keys(sent)).toHaveLength(10);
  });

  it.each([
    ['/api/v1/me', 'no-store'],
    ['/apiary', null],
    ['/', null],
  ])('allows caching or not: %s, %s', async (path, expected) => {
    await serve(everyRequest(logger(), maskPath), (_, response) => void response.send('x'));
    expect((await fetch(base + path)).headers.get('cache-control')).toBe(expected);
  });
});
