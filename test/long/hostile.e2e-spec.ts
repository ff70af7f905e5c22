import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, summary, transcript, user } from '../factories/workspace.js';
import { rawRequest } from '../support/client.js';
import { LINUX } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const SCRIPT = fileURLToPath(new URL('../support/hostile-load.mjs', import.meta.url));
const REQUESTS = 100_000;
const USERS = Array.from({ length: 10 }, (_, index) => `Hostile${index}`);
/** Each user has several, which is no way round the limit. */
const KEYS_EACH = 5;
const ADDRESSES = Array.from({ length: 50 }, (_, index) => `127.0.0.${index + 2}`);
/** With the clock stopped, all requests fall into one minute. */
const LIMITS = { user: 1_000, costly: 50, anonymous: 100, wrongKeys: 20 };

const hostileKey = (name: string, index: number): string => keyOf(`${name}Key${index}`);

interface Sent {
  readonly kind: string;
  readonly text: string;
}

/** What an attacker mixes: with a key in most cases, otherwise without one or with a wrong one. */
function hostile(sender: number, index: number, talk: string): Sent {
  const name = USERS[sender % USERS.length] ?? '';
  const key = hostileKey(name, index % KEYS_EACH);
  const headers = { Connection: 'keep-alive' };
  const get = (kind: string, path: string, as?: string): Sent => ({
    kind,
    text: rawRequest('GET', path, { key: as, headers }),
  });
  switch (index % 10) {
    case 0:
      return get('anonymous', '/api/v1/shares/none');
    case 1:
      return get('anonymous', `/nothing/${index}`);
    case 2:
      return get('wrong key', '/api/v1/me', keyOf(`Guess${sender}x${index}`));
    case 3: {
      const body = JSON.stringify({ question: 'Sentence?' });
      return {
        kind: 'costly',
        text: rawRequest('POST', `/api/v1/recordings/${talk}/questions`, { key, headers, body }),
      };
    }
    case 4:
      return get('user', '/api/v1/recordings', key);
    default:
      return get('user', '/api/v1/me', key);
  }
}

/** Resolves to how often each kind of request got each status. */
async function attack(port: number, talk: string): Promise<Record<string, number>> {
  const child = fork(SCRIPT, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const each = REQUESTS / ADDRESSES.length;
  const senders = ADDRESSES.map((address, sender) => ({
    address,
    requests: Array.from({ length: each }, (_, index) => hostile(sender, index, talk)),
  }));
  child.send({ port, senders });
  try {
    const [reply] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('The hostile requests were not all answered');
      }),
    ])) as [{ statuses: Record<string, number> }];
    return reply.statuses;
  } finally {
    child.kill();
  }
}

interface Reply {
  readonly status: number | undefined;
  readonly body: string;
}

LINUX.describe('a hundred thousand requests by ten users from fifty addresses', () => {
  let service: TestService;
  const talk = recording('Ada', { transcript: transcript(40), summary, media: 'call.mp4' });
  const theirs = recording('Hostile0', { transcript: transcript(5) });
  let share: string;

  beforeAll(async () => {
    service = await startService(
      {
        RATE_LIMIT_PER_MINUTE: String(LIMITS.user),
        RATE_LIMIT_COSTLY_PER_MINUTE: String(LIMITS.costly),
        RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(LIMITS.anonymous),
        RATE_LIMIT_WRONG_KEYS_PER_MINUTE: String(LIMITS.wrongKeys),
      },
      { confined: true },
    );
    const keys = (name: string): object[] =>
      Array.from({ length: KEYS_EACH }, (_, index) => ({ name: `${index}`, key: hostileKey(name, index) }));
    const attackers = USERS.map((name) => user(name, { apiKeys: keys(name) }));
    const users = [user('Ada'), user('Grace'), ...attackers];
    await service.import({ users, recordings: [talk, theirs] }, { 'call.mp4': 'film' });
    const { body } = await service.api.as(keyOf('Ada')).post(`/recordings/${talk.id}/share-link`, {});
    share = body.data.share_token;
    service.setNow(new Date());
  });
  afterAll(() => service.stop());

  async function send(
    localAddress: string,
    { method = 'GET', path, key, body }: { method?: string; path: string; key?: string; body?: object },
  ): Promise<Reply> {
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = request(`${service.api.base}${path}`, { method, headers, localAddress });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    // Share pages have a random nonce.
    return { status: response.statusCode, body: text.replaceAll(/nonce="[^"]+"/g, '') };
  }

  /** What a good user does, one request after another. */
  async function visit(address: string, key: string, isAlone: boolean): Promise<Reply[]> {
    const api = '/api/v1';
    const question = { method: 'POST', body: { question: 'Which sentence is 7?' } };
    const withKey = [
      { path: `${api}/me` },
      { path: `${api}/recordings?limit=5` },
      { path: `${api}/recordings/${talk.id}` },
      { path: `${api}/recordings/${talk.id}/transcript` },
      { path: `${api}/recordings/${talk.id}/transcript?format=vtt` },
      { path: `${api}/recordings/search?q=sentence` },
      { path: `${api}/recordings/${talk.id}/questions`, ...question },
    ].map((one) => ({ ...one, key }));
    const without = [{ path: `/s/${share}` }, { path: `${api}/shares/${share}` }];
    const replies: Reply[] = [];
    for (const one of [...withKey, ...(isAlone ? without : [])]) replies.push(await send(address, one));
    return replies;
  }

  it('changes no reply to a good user, neither at an address of their own nor at one of the fifty', async () => {
    const good = [
      () => visit('127.0.0.100', keyOf('Ada'), true),
      () => visit(ADDRESSES[0] ?? '', keyOf('Grace'), false),
    ];
    const before = await Promise.all(good.map((each) => each()));
    expect(before.map((replies) => replies.map(({ status }) => status))).toEqual([
      [200, 200, 200, 200, 200, 200, 200, 200, 200],
      [200, 200, 404, 404, 404, 200, 404],
    ]);

    const over = new AbortController();
    const port = Number(new URL(service.api.base).port);
    const attacking = attack(port, theirs.id).finally(() => over.abort());
    let visits = 0;
    while (!over.signal.aborted && visits < LIMITS.costly - 5) {
      expect(await Promise.all(good.map((each) => each()))).toEqual(before);
      visits += 1;
      await setTimeout(300);
    }
    const statuses = await attacking;
    expect(visits).toBeGreaterThan(5);

    expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
    const served =
      (statuses['user 200'] ?? 0) + (statuses['costly 200'] ?? 0) + (statuses['costly 404'] ?? 0);
    expect(served).toBeLessThanOrEqual(USERS.length * LIMITS.user);
    // The rest are costly requests, which were refused as such.
    expect(served).toBeGreaterThanOrEqual(USERS.length * LIMITS.user * 0.85);
    expect(statuses['anonymous 404']).toBe(ADDRESSES.length * LIMITS.anonymous);
    expect(statuses['wrong key 401']).toBe(ADDRESSES.length * LIMITS.wrongKeys);
    expect(Object.keys(statuses).filter((key) => !/ (?:200|401|404|429)$/.test(key))).toEqual([]);
  }, 180_000);
});
