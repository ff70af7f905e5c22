import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, organization, member, recording, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const CONTACT = 'https://acme.example/help?a=$1';
const NARROW = 'mrs_narrowKeyOfAda0000000000000';

describe('with ADVICE_CONTACT', () => {
  let service: TestService;
  const own = recording('Ada', { createdAt: '2020-01-01T00:00:00Z' });
  const acme = organization('Acme', {
    plan: 'ENTERPRISE',
    subscription: { status: 'expired', endsAt: null },
    members: [member('Ada', 'OWNER')],
  });
  const lapsed = recording('Ada', { organization: 'Acme' });

  beforeAll(async () => {
    service = await startService({ ADVICE_CONTACT: CONTACT, QUOTA_FREE_RECORDINGS: '1' });
    await service.import({
      users: [
        user('Ada', {
          plan: 'FREE',
          apiKeys: [
            { name: 'test', key: keyOf('Ada') },
            { name: 'narrow', key: NARROW, scopes: ['recordings:read'] },
          ],
        }),
      ],
      organizations: [acme],
      recordings: [own, lapsed],
    });
  });
  afterAll(() => service.stop());

  it.each([
    ['a missing key', '', 'GET', '/me', 401, 'UNAUTHORIZED', `<API_KEY>". Ask ${CONTACT}.`],
    ['an unknown key', keyOf('Nobody'), 'GET', '/me', 401, 'INVALID_API_KEY', `/api-keys. Ask ${CONTACT}.`],
    ['a scope', NARROW, 'POST', '/recordings', 403, 'FORBIDDEN', `Use one that has. Ask ${CONTACT}.`],
    [
      'the history',
      keyOf('Ada'),
      'GET',
      `/recordings/${own.id}/transcript`,
      403,
      'RECORDING_LOCKED',
      `PRO plan. Ask ${CONTACT}.`,
    ],
    [
      'the subscription',
      keyOf('Ada'),
      'GET',
      `/recordings/${lapsed.id}`,
      402,
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
      `no longer active. Ask ${CONTACT}.`,
    ],
    ['operators only', keyOf('Ada'), 'GET', '/users', 403, 'FORBIDDEN', `manage users. Ask ${CONTACT}.`],
    [
      'a quota',
      keyOf('Ada'),
      'POST',
      '/recordings',
      403,
      'QUOTA_EXCEEDED',
      `Delete recordings, or ask ${CONTACT}.`,
    ],
    ['a private address', keyOf('Ada'), 'POST', '/webhooks', 400, 'VALIDATION_ERROR', `(ask ${CONTACT})`],
  ])(
    'a refusal for %s says whom to ask, and nothing that only operators can do',
    async (_, key, method, path, status, code, end) => {
      const api = key === '' ? service.api : service.api.as(key);
      const body = { '/recordings': { title: 'x' }, '/webhooks': { url: 'http://10.0.0.1', types: ['*'] } }[
        path
      ];
      const reply = await api.request(method, path, body === undefined ? {} : { body });
      expect([reply.status, reply.body]).toEqual([status, refusal(code, expect.stringContaining(end))]);
      expect(reply.body.error?.message).not.toMatch(/npx mrs|[A-Z]{4,}_[A-Z]{4,}/);
    },
  );
});
