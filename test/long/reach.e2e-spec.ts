import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { OpenStream } from '../support/event-stream.js';
import { operationsOn, type ExampleOperation } from '../support/example-requests.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { startWithSender, type SendingService } from '../support/webhooks.js';
import {
  KINDS,
  leaksIn,
  leaksOf,
  ReachWorld,
  type Kind,
  type Reader,
} from '../security/reach/reach-world.js';

/** Operations that no limited key can use, or that are tested in another way. Think twice before adding to this list. */
const NEVER_READ: Readonly<Record<string, string>> = {
  'GET /users': 'for operators, who act on everything',
  'GET /users/{id}': 'for operators, who act on everything',
  'GET /audit-log': 'for operators, who act on everything',
};

/** What is there on purpose: which organizations do not accept the key. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'an accepting organization': ['GET /me /me: Beta (beta)'],
};

/** Of the events, those that say where something was, or that are not of recordings. */
const TELLING =
  'types=recording.moved,webhook.*,folder.*,organization.*,member.*,invitation.*,service_account.*';

/** Queries with which a list says all that it can. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'GET /recordings/search': ['?q=says&limit=100', '?q=qqsalesqq', '?q=qqbetaqq', '?q=moving&limit=100'],
  'GET /recordings': ['?limit=100', '?search=qqbeta'],
  'GET /action-items': ['?limit=100', '?done=true&owner=Olga&limit=100'],
  'GET /organizations/{id}/folders': ['', '?all=true'],
  'GET /organizations/{id}/audit-log': ['?limit=100', '?format=ndjson'],
  'GET /me/audit-log': ['?limit=100', '?format=ndjson'],
  'GET /events': ['?limit=100', `?limit=100&${TELLING}`],
  'GET /webhooks/{id}/deliveries': ['?limit=100'],
};

describe('what an API key does not reach', () => {
  let service: SendingService;
  let receiver: WebhookReceiver;
  let world: ReachWorld;
  const read = new Set<string>();
  const erasures: string[] = [];
  const operations = operationsOn('').filter(
    ({ method, path }) => method === 'GET' && !path.startsWith('/health/'),
  );

  beforeAll(async () => {
    const unlimited = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' };
    service = await startWithSender({ ...unlimited, BIN_DAYS: '1' });
    receiver = await WebhookReceiver.start();
    world = await ReachWorld.create(service, receiver);
    for (const id of world.idsOf('organization')) {
      const app = { name: 'CRM', redirect_uris: ['https://crm.acme.test/callback'], organization_id: id };
      await world.full.post('/oauth-clients', app);
      const hold = { matter: 'Case', reason: 'Letter', organization_id: id, to: '2000-01-01' };
      await world.full.post('/legal-holds', hold);
      await world.full.post(`/organizations/${id}/exports`, {});
      const person = { email: 'nobody@acme.test' };
      const { body } = await world.full.post(`/organizations/${id}/erasures`, person);
      erasures.push(body.data.id as string);
    }
    await world.full.post('/me/exports', {});
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  /** The paths of an operation, for everything that is not beyond; for that, `reach-writes.e2e-spec.ts`. */
  async function pathsOf({ name, path }: ExampleOperation, reader: Reader): Promise<readonly string[]> {
    const { client } = reader;
    let paths = [path];
    const fill = (parameter: string, values: readonly string[]): void => {
      paths = paths.flatMap((one) =>
        one.includes(parameter) ? values.map((value) => one.replace(parameter, value)) : [one],
      );
    };
    const kind = KINDS[path.split('/')[1] ?? ''];
    const beyond = world.beyond(reader);
    const within = (of: Kind): readonly string[] => world.idsOf(of).filter((one) => !beyond.has(one));
    if (path.startsWith('/oauth-clients')) {
      const lists = within('organization').map((id) => `/oauth-clients?organization_id=${id}`);
      if (path === '/oauth-clients') return lists;
      const listed = await Promise.all(lists.map((list) => ids(client, list)));
      return listed.flat().map((id) => path.replace('{id}', id));
    }
    const others = ['/exports', '/legal-holds'].find((one) => path.startsWith(one)) ?? '/api-keys';
    fill('{id}', kind ? within(kind) : await ids(client, others));
    fill('{accountId}', within('account'));
    fill('{erasureId}', erasures);
    fill('{revision}', ['1', '2']);
    fill('{token}', world.tokensWithin(reader));
    if (path.includes('{deliveryId}')) {
      const every = await Promise.all(
        paths.map(async (one) => {
          const list = `${one.slice(0, one.lastIndexOf('/'))}?limit=10`;
          const sent = await Promise.all(
            ['', '&type=recording.moved', '&type=recording.updated'].map((query) =>
              ids(client, `${list}${query}`),
            ),
          );
          return sent.flat().map((delivery) => one.replace('{deliveryId}', delivery));
        }),
      );
      paths = every.flat();
    }
    return paths.flatMap((one) => (QUERIES[name] ?? ['']).map((query) => `${one}${query}`));
  }

  async function ids(client: Client, path: string): Promise<readonly string[]> {
    const { body } = await client.get(path);
    return (body.data ?? []).map((one: { readonly id: string }) => one.id);
  }

  describe.each(['an organization', 'a folder', 'an accepting organization'] as const)(
    'of a key that is limited to %s',
    (name) => {
      let reader: Reader;
      let beyond: ReadonlyMap<string, string>;
      beforeAll(() => {
        reader = world.readers[name];
        beyond = world.beyond(reader);
      });

      it('is in no reply of any operation that reads', async () => {
        const leaks: string[] = [];
        for (const operation of operations) {
          for (const path of await pathsOf(operation, reader)) {
            const reply = await reader.client.get(path);
            if (reply.status === 200) read.add(operation.name);
            leaks.push(...leaksOf(`${operation.name} ${path}`, reply, beyond));
          }
        }
        expect(leaks).toEqual(SAID[name] ?? []);
      });

      it('is in no event of its stream', async () => {
        const { body } = await world.full.get('/events?limit=1');
        const stream = await OpenStream.open(
          reader.client,
          reader.key,
          `?cursor=${body.pagination.next_cursor}&${TELLING}`,
        );
        const listed = (await reader.client.get(`/events?limit=100&${TELLING}`)).body;
        expect(listed.pagination.has_more).toBe(false);
        expect(listed.data.length).toBeGreaterThan(5);
        // The first event of all may be among them.
        await stream.until(({ events }) => events.length >= listed.data.length - 1);
        stream.close();
        expect(leaksIn(stream.messages, beyond)).toEqual([]);
      });
    },
  );

  it('was looked for in every operation that reads', () => {
    const missing = operations.map(({ name }) => name).filter((name) => !read.has(name));
    expect(missing).toEqual(Object.keys(NEVER_READ));
  });
});
