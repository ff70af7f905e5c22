import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id } from '../factories/workspace.js';
import type { Reply } from '../support/client.js';
import { exampleBody, operationsOn } from '../support/example-requests.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { at } from '../support/uploads.js';
import { startWithSender, type SendingService } from '../support/webhooks.js';
import { KINDS, leaksOf, ReachWorld, type Reader } from '../security/reach/reach-world.js';

/** What answers before looking for what the path names. */
const BEFORE: Readonly<Record<string, string>> = {
  'PUT /organizations/{id}/members/{userId} 403': 'for operators, who act on everything',
  'PATCH /organizations/{id}/service-accounts/{accountId} 400':
    'all of its fields are optional, and none is given',
  'OPTIONS /uploads/{id} 204': 'public',
};

interface Write {
  readonly request: readonly [method: string, path: string, body?: object];
  /** Whether the keys are too limited for it, all of them. */
  readonly isRefused?: boolean;
}

describe('with an API key', () => {
  let service: SendingService;
  let receiver: WebhookReceiver;
  let world: ReachWorld;

  beforeAll(async () => {
    const unlimited = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' };
    service = await startWithSender({ ...unlimited, BIN_DAYS: '1' });
    receiver = await WebhookReceiver.start();
    world = await ReachWorld.create(service, receiver);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const operations = operationsOn('').filter(
    ({ path }) => KINDS[path.split('/')[1] ?? ''] && path.includes('{id}'),
  );

  describe.each(['an organization', 'a folder'] as const)('that is limited to %s', (name) => {
    let reader: Reader;
    beforeAll(() => {
      reader = world.readers[name];
    });

    it('every operation answers for what is beyond as for what does not exist', async () => {
      const beyond = world.beyond(reader);
      const others: string[] = [];
      const found = new Set<string>();
      for (const { name: operation, method, path, operation: described } of operations) {
        const sent = exampleBody(described);
        const send = (one: string): Promise<Reply> =>
          reader.client.request(method, path.replace('{id}', one).replaceAll(/\{\w+\}/g, id()), {
            body: sent?.body,
            headers: {
              ...(sent ? { 'content-type': sent.type } : {}),
              ...(path.startsWith('/uploads/') ? at(0) : {}),
            },
          });
        const unknown = await send(id());
        if (unknown.status !== 404) found.add(`${operation} ${unknown.status}`);
        const hidden = world.idsOf(KINDS[path.split('/')[1] ?? '']!).filter((each) => beyond.has(each));
        for (const one of new Set([...hidden.slice(0, 2), ...hidden.slice(-1)])) {
          const { status, body } = await send(one);
          if (status !== unknown.status || JSON.stringify(body) !== JSON.stringify(unknown.body))
            others.push(`${operation}: ${status} ${JSON.stringify(body)} for ${beyond.get(one)}`);
        }
      }
      expect(others).toEqual([]);
      expect([...found]).toEqual(Object.keys(BEFORE));
    });
  });

  it('what it does not reach is in no reply to a write, nor in a refusal, unless the request names it', async () => {
    const leaks: string[] = [];
    const done = new Set<string>();
    const writes = writesIn(world);
    const [, beta] = world.idsOf('organization');
    for (const [name, reader] of Object.entries(world.readers)) {
      // It is told which organizations do not accept it.
      const told = name === 'an accepting organization' ? beta : undefined;
      for (const { request } of writes) {
        const [method, path, body] = request;
        const reply = await reader.client.request(method, path, { body });
        const named = JSON.stringify(request);
        const beyond = [...world.beyond(reader)].filter(
          ([value]) => value !== told && !named.includes(value),
        );
        leaks.push(...leaksOf(named, reply, new Map(beyond)));
        if (reply.status < 300) done.add(named);
      }
    }
    expect(leaks).toEqual([]);
    const isDone = ({ request }: Write): boolean => done.has(JSON.stringify(request));
    expect(writes.filter((one) => isDone(one) === Boolean(one.isRefused))).toEqual([]);
  });
});

/** Writes whose replies say something, within reach, and such as name what is beyond. */
function writesIn(world: ReachWorld): readonly Write[] {
  const { acme, grace } = world;
  const [recording = ''] = world.idsOf('recording');
  const [board = '', sales = '', annex = ''] = world.idsOf('folder');
  const [, beta = ''] = world.idsOf('organization');
  const [hook = ''] = world.idsOf('webhook');
  const inAcme = `/organizations/${acme}`;
  const question = { question: 'What was said?' };
  const ofAcme = { url: 'https://hooks.example.com/', types: ['*'], organization_id: acme };
  const guest = (name: string) => ({ email: `${name}@acme.test`, role: 'VIEWER' });
  const within: readonly Write['request'][] = [
    ['PATCH', '/me', { name: 'Olga' }],
    ['POST', '/api-keys', { name: 'another' }],
    ['POST', '/questions', question],
    ['POST', `/recordings/${recording}/questions`, question],
    ['PATCH', `/recordings/${recording}`, { title: 'Renamed' }],
    ['POST', `/recordings/${recording}/share-link`, { label: 'one more' }],
    ['POST', `/recordings/${recording}/summary/revisions/1/restore`],
    ['POST', '/recordings/bulk', { ids: [recording, id()], action: 'move', mode: 'each', folder_id: board }],
    ['POST', '/recordings', { title: 'New', media: 'none', organization_id: acme, folder_id: board }],
    ['PATCH', inAcme, { name: 'Acme' }],
    ['PATCH', `${inAcme}/folders/${board}`, { restricted_to: null }],
    ['POST', `${inAcme}/invitations`, { ...guest('within'), folder_ids: [sales] }],
    ['PATCH', `${inAcme}/members/${grace}`, { role: 'ADMIN' }],
    ['POST', `${inAcme}/transfer`, { user_id: grace }],
    ['POST', '/webhooks', ofAcme],
    ['PATCH', `/webhooks/${hook}`, { description: 'changed' }],
    ['POST', `/webhooks/${hook}/test`],
    ['POST', `/webhooks/${hook}/rotate-secret`],
    ['DELETE', `${inAcme}/members/${grace}`],
  ];
  const beyond: readonly Write['request'][] = [
    ['POST', '/api-keys', { name: 'more', organizations: [beta] }],
    ['POST', '/api-keys', { name: 'more', folders: [annex] }],
    ['PATCH', `/recordings/${recording}`, { organization_id: beta }],
    ['PATCH', `/recordings/${recording}`, { organization_id: beta, folder_id: annex }],
    ['POST', '/recordings', { title: 'New', media: 'none', organization_id: beta }],
    ['POST', '/recordings', { title: 'New', media: 'none', organization_id: acme, folder_id: annex }],
    ['POST', `${inAcme}/invitations`, { ...guest('beyond'), folder_ids: [annex] }],
    ['POST', '/webhooks', { ...ofAcme, organization_id: beta }],
    ['POST', `/organizations/${beta}/invitations`, guest('elsewhere')],
  ];
  return [
    ...within.map((request) => ({ request })),
    ...beyond.map((request) => ({ request, isRefused: true })),
  ];
}
