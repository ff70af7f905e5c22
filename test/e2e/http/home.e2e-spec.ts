import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openapi } from '../../support/contract.js';
import { startService, type TestService } from '../../support/service.js';

describe('the root of the service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('redirects to the API docs, and is not an operation of the API', async () => {
    const reply = await fetch(`${service.api.base}/`, { redirect: 'manual' });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/docs']);
    const docs = await fetch(`${service.api.base}/`);
    expect([docs.status, docs.url]).toEqual([200, `${service.api.base}/docs`]);
    expect(Object.keys(openapi.paths)).not.toContain('/');
  });

  it('serves no API docs with API_DOCS=false', async () => {
    const quiet = await startService({ API_DOCS: 'false' });
    try {
      for (const path of ['/', '/docs', '/docs/', '/docs/openapi.json', '/docs/swagger-ui-init.js']) {
        const reply = await fetch(quiet.api.base + path, { redirect: 'manual' });
        expect([path, reply.status, await reply.json()]).toMatchObject([
          path,
          404,
          { error: { code: 'NOT_FOUND' } },
        ]);
      }
    } finally {
      await quiet.stop();
    }
  });
});
