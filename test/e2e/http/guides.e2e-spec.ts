import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { ApiTags } from '../../../src/contract/api-tags.decorator.js';
import { Endpoint } from '../../../src/contract/endpoint.decorator.js';
import { reply, SuccessReply, SUCCESS } from '../../../src/platform/openapi/reply.dto.js';
import { keyOf, user } from '../../factories/workspace.js';
import { sendRaw } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

@ApiTags('Recordings')
@Controller('old-things')
class OldThingsController {
  @Get()
  @Endpoint({
    summary: 'List old things',
    description: 'Old things.',
    scope: 'recordings:read',
    reply: SuccessReply,
    deprecated: { since: '2026-12-01', sunset: '2027-12-01', link: '/docs/guide/versioning#old-things' },
  })
  listOldThings() {
    return reply(SUCCESS);
  }
}

@Module({ controllers: [OldThingsController] })
class OldThingsModule {}

describe('the guides in the product', () => {
  let service: TestService;
  let origin: string;

  beforeAll(async () => {
    service = await startService({}, { modules: [OldThingsModule] });
    await service.import({ users: [user('Ada')] });
    origin = service.api.base.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => service.stop());

  const get = async (path: string) => {
    const response = await fetch(service.api.base + path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('are pages that load nothing from elsewhere and run nothing', async () => {
    const { status, headers, text } = await get('/docs/guide/api-guide');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(text).toContain('<h3 id="service-accounts">');
    expect(text).toContain('<a href="/docs/guide/webhooks">webhooks</a>');
    expect(text).toContain('<a href="/docs/guide/typescript-client">TypeScript</a>');
    const styles = /href="(\/docs\/[^"]+\/guide\.css)"/.exec(text)?.[1] ?? '';
    expect((await get(styles)).headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await get('/docs/guide')).text).toContain('<a href="/docs/guide/api-guide">API guide</a>');
    const image = await get('/docs/guide/images/library.png');
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('say which ones there are where there is none', async () => {
    for (const path of ['/docs/guide/none', '/docs/guide/0023-share-links', '/docs/guide/..%2Fpackage']) {
      const { status, text } = await get(path);
      expect([path, status, JSON.parse(text).error.message]).toEqual([
        path,
        404,
        'There is no such guide: /docs/guide lists all of them.',
      ]);
    }
  });

  it('are searched for all words, and results lead to the section', async () => {
    const { text } = await get('/docs/guide?q=recording_locked+Subscription');
    expect(text).toContain('<a href="/docs/guide/errors#recording_locked">RECORDING_LOCKED</a>');
    const nothing = await get(`/docs/guide?q=${encodeURIComponent('<script>zyxwv')}`);
    expect(nothing.text).toContain('Nothing found for “&lt;script&gt;zyxwv”');
    for (const query of [`q=${'x'.repeat(101)}`, 'q=a&q=b']) {
      const { status, text: refused } = await get(`/docs/guide?${query}`);
      expect([status, JSON.parse(refused).error]).toEqual([
        400,
        { code: 'VALIDATION_ERROR', message: 'q: must be one text of at most 100 characters' },
      ]);
    }
  });

  it('are where the Link of each error leads, also of one that never reached a route', async () => {
    const linkTo = (code: string) => `<${origin}/docs/guide/errors#${code}>; rel="help"`;
    const ada = service.api.as(keyOf('Ada'));
    expect((await ada.get('/recordings?limit=0')).headers.get('link')).toBe(linkTo('validation_error'));
    expect((await service.api.get('/me')).headers.get('link')).toBe(linkTo('unauthorized'));
    expect((await ada.get('/nothing')).headers.get('link')).toBe(linkTo('not_found'));
    const upload = await ada.request('HEAD', '/uploads/none', { headers: { 'tus-resumable': '1.0.0' } });
    expect([upload.status, upload.headers.get('link')]).toEqual([404, linkTo('recording_not_found')]);
    expect((await ada.get('/me')).headers.get('link')).toBeNull();
    const { headers } = await sendRaw(service.api.base, 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(headers.get('link')).toBe(linkTo('validation_error'));
  });

  it('are announced by deprecated operations, in replies, errors and the document', async () => {
    const announced = (headers: Headers) =>
      ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
    const link = '</docs/guide/versioning#old-things>; rel="deprecation"';
    const ada = service.api.as(keyOf('Ada'));
    const { status, headers } = await ada.get('/old-things');
    expect(status).toBe(200);
    expect(announced(headers)).toEqual(['@1796083200', 'Wed, 01 Dec 2027 00:00:00 GMT', link]);
    const refused = await ada.get('/old-things?color=red');
    expect(refused.status).toBe(400);
    expect(announced(refused.headers)).toEqual([
      '@1796083200',
      'Wed, 01 Dec 2027 00:00:00 GMT',
      `${link}, <${origin}/docs/guide/errors#validation_error>; rel="help"`,
    ]);
    const document = JSON.parse((await get('/openapi.json')).text);
    expect(document.paths['/api/v1/old-things'].get).toMatchObject({
      deprecated: true,
      description:
        '**Deprecated** since 2026-12-01, and may be removed from 2027-12-01 on: [what to use instead](docs/guide/versioning#old-things).\n\nOld things.\n\nScope of the API key: `recordings:read`.',
    });
    const old = await get('/docs/openapi.json');
    expect(announced(old.headers)).toEqual([
      '@1795996800',
      'Tue, 30 Nov 2027 00:00:00 GMT',
      '</docs/guide/versioning#what-is-deprecated>; rel="deprecation"',
    ]);
  });
});
