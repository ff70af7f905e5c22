import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { rawRequest, sendRaw } from '../../support/client.js';
import { inlined, openapi } from '../../support/contract.js';
import { startService, type TestService } from '../../support/service.js';

describe('the root of the service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('takes browsers to the API docs, or to the library in a session, and names the addresses to other clients', async () => {
    const { base } = service.api;
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const browser = await fetch(`${base}/`, { redirect: 'manual', headers });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/docs']);
    const cookie = { ...headers, cookie: 'mrs_session=anything' };
    const member = await fetch(`${base}/`, { redirect: 'manual', headers: cookie });
    expect([member.status, member.headers.get('location')]).toEqual([302, '/app']);
    const { data } = (await (await fetch(`${base}/`)).json()) as { data: Record<string, string> };
    const at = (path: string) => base.replace('127.0.0.1', 'localhost') + path;
    expect(data).toEqual({
      name: 'Meeting Recording Service',
      library: at('/app'),
      api: at('/api/v1'),
      docs: at('/docs'),
      openapi: at('/openapi.json'),
      mcp: at('/mcp'),
      health: at('/health/ready'),
    });
    expect(Object.keys(openapi.paths)).not.toContain('/');
  });

  it('serves the document, compressed, and once more only if it has changed', async () => {
    for (const [path, type] of [
      ['/openapi.json', 'application/json'],
      ['/docs/openapi.json', 'application/json'],
      ['/openapi.yaml', 'application/yaml'],
      ['/docs/openapi.yaml', 'application/yaml'],
    ] as const) {
      const url = service.api.base + path;
      const reply = await fetch(url);
      const { headers } = reply;
      expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
        `${type}; charset=utf-8`,
        'no-cache',
      ]);
      expect(inlined(load(await reply.text()) as typeof openapi)).toEqual(openapi);
      const etag = headers.get('etag') ?? '';
      // Not by `fetch`, which would ask for a new copy.
      const again = rawRequest('GET', path, { headers: { 'If-None-Match': etag } });
      expect((await sendRaw(service.api.base, again)).status).toBe(304);
      const { length } = Buffer.from(await (await fetch(url)).arrayBuffer());
      for (const encoding of ['br', 'gzip']) {
        const head = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': encoding } });
        expect([head.headers.get('content-encoding'), head.headers.get('etag')]).toEqual([encoding, etag]);
        expect(Number(head.headers.get('content-length'))).toBeLessThan(length / 5);
      }
    }
  });

  it('serves Swagger UI from addresses that change with its content, and may be kept', async () => {
    const { base } = service.api;
    const html = await (await fetch(`${base}/docs`)).text();
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    const addresses = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      const reply = await fetch(base + address);
      expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(0);
      expect([address, reply.status, reply.headers.get('cache-control')]).toEqual([
        address,
        200,
        'public, max-age=31536000, immutable',
      ]);
      const other = await fetch(base + address.replace(/^\/docs\/[^/]+/, '/docs/none'), {
        method: 'HEAD',
      });
      expect([address, other.status]).toEqual([address, 404]);
    }
  });

  it('serves no API docs with API_DOCS=false', async () => {
    const quiet = await startService({ API_DOCS: 'false' });
    try {
      for (const path of ['/docs', '/docs/', '/docs/openapi.json', '/openapi.json', '/openapi.yaml']) {
        const reply = await fetch(quiet.api.base + path, { redirect: 'manual' });
        expect([path, reply.status, await reply.json()]).toMatchObject([
          path,
          404,
          { error: { code: 'NOT_FOUND' } },
        ]);
      }
      const { data } = (await (await fetch(`${quiet.api.base}/`)).json()) as { data: object };
      expect(Object.keys(data)).toEqual(['name', 'library', 'api', 'mcp', 'health']);
      const headers = { accept: 'text/html' };
      const browser = await fetch(`${quiet.api.base}/`, { redirect: 'manual', headers });
      expect([browser.status, browser.headers.get('location')]).toEqual([302, '/app']);
    } finally {
      await quiet.stop();
    }
  });
});
