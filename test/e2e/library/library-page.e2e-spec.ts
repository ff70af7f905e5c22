import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { csrfToken } from '../../../src/platform/http/requests/session-cookie.js';
import { user } from '../../factories/workspace.js';
import { SESSION } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { sessionOf } from '../../support/sessions.js';

const ada = user('Ada');
/** Of everything that the first view loads, gzipped. */
const MAX_SCRIPT_BYTES = 150_000;

interface Page {
  readonly headers: Headers;
  readonly text: string;
  readonly imports: Readonly<Record<string, string>>;
}

describe('the page of the library', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada] });
    token = (await sessionOf(service, ada.id)).slice(SESSION.length);
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.api.base + path, { redirect: 'manual', headers });

  async function page(language = 'en'): Promise<Page> {
    const reply = await get('/app', { cookie: `mrs_session=${token}`, 'accept-language': language });
    const text = await reply.text();
    const [, imports = '{}'] = /<script type="importmap"[^>]*>(.*?)<\/script>/.exec(text) ?? [];
    return { headers: reply.headers, text, imports: JSON.parse(imports).imports };
  }

  /** The modules that one module and those it imports statically load, by URL. */
  async function graphOf(entry: string, imports: Page['imports']): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const visit = async (url: string): Promise<void> => {
      if (found.has(url)) return;
      found.set(url, Buffer.alloc(0));
      const reply = await fetch(service.api.base + url, { headers: { 'accept-encoding': 'gzip' } });
      expect([url, reply.status, reply.headers.get('content-type')]).toEqual([
        url,
        200,
        'text/javascript; charset=utf-8',
      ]);
      const code = Buffer.from(await reply.arrayBuffer());
      found.set(url, code);
      // Comments import types.
      const statements = code.toString().replace(/\/\*.*?\*\//gs, '');
      const specifiers = [
        ...statements.matchAll(/(?:^|[;}])\s*(?:import|export)\b(?:[^'"`;]*\bfrom)?\s*["']([^"']+)["']/gm),
      ];
      for (const [, specifier = ''] of specifiers) {
        const target = specifier.startsWith('.')
          ? new URL(specifier, `http://x${url}`).pathname
          : imports[specifier];
        expect([url, specifier, target]).toEqual([url, specifier, expect.any(String)]);
        await visit(target!);
      }
    };
    await visit(entry);
    return found;
  }

  it('leads to the page for signing in, and back to what was asked for', async () => {
    for (const headers of [{}, { cookie: 'mrs_session=none' }] as Record<string, string>[]) {
      const reply = await get('/app/recordings/1?x=2', headers);
      expect([reply.status, reply.headers.get('location')]).toEqual([
        303,
        '/sign-in?to=%2Fapp%2Frecordings%2F1%3Fx%3D2',
      ]);
    }
  });

  it('is the same page at every path, in the language of the browser, and lets nothing in from elsewhere', async () => {
    const { headers, text } = await page('de-AT, en;q=0.5');
    expect(text).toContain('<html lang="de">');
    expect(text).toContain(csrfToken(token));
    expect(text).not.toContain(token);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'nonce-[\w+/=]+'; style-src 'nonce-[\w+/=]+'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY']);
    const deep = await get('/app/organizations/1/members', { cookie: `mrs_session=${token}` });
    expect(deep.status).toBe(200);
  });

  it('loads less than 150 KB of scripts before the list, all from here, kept for ever', async () => {
    const { text, imports } = await page();
    const [, entry = ''] = /id="script"[^>]* src="([^"]+)"/.exec(text) ?? [];
    const graph = await graphOf(entry, imports);
    const bytes = [...graph.values()].reduce((sum, code) => sum + gzipSync(code).length, 0);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
    const preloaded = [...text.matchAll(/rel="modulepreload"[^>]* href="([^"]+)"/g)].map(([, url]) => url);
    expect([...graph.keys()].filter((url) => !preloaded.includes(url))).toEqual([]);
    expect(preloaded.filter((url) => !graph.has(url!))).toEqual([]);
    const reply = await get(entry);
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await get(entry.replace(/app\/[^/]+/, 'app/another'))).status).toBe(404);
    expect((await get(entry.replace('app.js', '..%2f..%2fpackage.json'))).status).toBe(404);
  });
});
