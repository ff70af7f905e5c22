import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { refusal } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';

describe('a hidden recording', () => {
  const personal = recording('Grace');
  const old = recording('Grace', { createdAt: '2020-01-01T00:00:00Z' });
  const expired = organization('Lapsed', {
    subscription: { status: 'expired' },
    members: [member('Grace', 'OWNER'), member('Ada', 'EDITOR')],
  });
  const unpaid = recording('Grace', { organization: 'Lapsed' });
  const hidden = [personal.id, old.id, unpaid.id, personal.id.toUpperCase()];
  const noUuids = ['1', `{${personal.id}}`, personal.id.replaceAll('-', ''), '..%2f'];
  const operations = [
    ['GET', '', undefined],
    ['GET', '/transcript', undefined],
    ['PATCH', '', { title: 'Mine now' }],
    ['DELETE', '', undefined],
    ['POST', '/share-link', { permission: 'download' }],
  ] as const;
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Grace', { plan: 'FREE' })],
      organizations: [expired],
      recordings: [personal, old, unpaid],
    });
  });
  afterAll(() => service.stop());

  async function answer(method: string, path: string, body: object | undefined) {
    const response = await fetch(`${service.api.base}/api/v1/recordings/${path}`, {
      method,
      headers: { authorization: `Bearer ${keyOf('Ada')}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // Those that differ for every request.
    const own = /^(?:x-request-id|date|ratelimit-remaining|ratelimit-reset)$/;
    const headers = [...response.headers].filter(([name]) => !own.test(name));
    return { status: response.status, headers, text: await response.text() };
  }

  it.each(operations)(
    'is the same 404 as a missing one, byte for byte: %s %s',
    async (method, rest, body) => {
      const absent = await answer(method, id() + rest, body);
      expect(absent.status).toBe(404);
      expect(JSON.parse(absent.text)).toEqual(refusal('RECORDING_NOT_FOUND'));
      for (const other of [...hidden, ...noUuids]) {
        expect(await answer(method, other + rest, body)).toEqual(absent);
      }
    },
  );

  it('is unchanged for its owner after all that', async () => {
    const { body } = await service.api.as(keyOf('Grace')).get('/recordings');
    expect(body.data.map((item: { id: string }) => item.id).sort()).toEqual(
      [personal.id, old.id, unpaid.id].sort(),
    );
  });
});
