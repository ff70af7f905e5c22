import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';

const LIMITS = {
  RATE_LIMIT_PER_MINUTE: '20',
  RATE_LIMIT_COSTLY_PER_MINUTE: '5',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10',
  RATE_LIMIT_PASSWORDS_PER_MINUTE: '3',
  RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '4',
};
const ORIGIN = 'https://app.example.com';
const WRONG = keyOf('Nobody');
const MINUTE_MS = 60_000;

/** `RateLimit-Limit`, `-Remaining` and `-Reset`. */
const shown = ({ headers }: { headers: Headers }): (string | null)[] =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));

async function statuses(times: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < times; count += 1) all.push((await send()).status);
  return all;
}

const repeated = (status: number, times: number): number[] => Array<number>(times).fill(status);

describe('rate limits', () => {
  cheapPasswords();
  let service: TestService;
  let ada: Client;
  const talk = recording('Ada', { transcript: transcript(3) });

  beforeAll(async () => {
    service = await startService({ ...LIMITS, CORS_ORIGINS: ORIGIN });
    const keys = ['Ada', 'AdaToo'].map((name) => ({ name, key: keyOf(name) }));
    await service.import({
      users: [
        user('Ada', { apiKeys: [...keys, { name: 'old', key: keyOf('AdaOld'), revoked: true }] }),
        user('Grace'),
      ],
      recordings: [talk],
    });
    ada = service.api.as(keyOf('Ada'));
    // What the limiters read.
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });

  let now = Date.now();
  const passes = (ms: number): void => {
    now += ms;
  };
  /** Every test has a minute of its own. */
  beforeEach(() => passes(MINUTE_MS));

  const page = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(service.api.base + path, { redirect: 'manual', ...init });
  const ask = (): Promise<Reply> => ada.post(`/recordings/${talk.id}/questions`, { question: 'Sentence?' });

  it('are stated in the headers of every counted response, also of errors', async () => {
    expect(shown(await ada.get('/me'))).toEqual(['20', '19', '60']);
    passes(30_500);
    expect(shown(await ada.get('/recordings/x'))).toEqual(['20', '18', '30']);
    expect(shown(await ada.patch('/recordings/x', '{'))).toEqual(['20', '17', '30']);
  });

  it('count a user over all API keys, and no other user', async () => {
    const both = [ada, service.api.as(keyOf('AdaToo'))] as const;
    expect(await statuses(10, () => both[0].get('/me'))).toEqual(repeated(200, 10));
    expect(await statuses(10, () => both[1].get('/me'))).toEqual(repeated(200, 10));
    for (const client of [...both, ...both]) {
      const refused = await client.get('/me');
      expect(refused).toMatchObject({
        status: 429,
        body: refusal('RATE_LIMITED', 'Too many requests by this user; see Retry-After.'),
      });
      expect([...shown(refused), refused.headers.get('retry-after')]).toEqual(['20', '0', '60', '60']);
    }
    expect((await service.api.as(keyOf('Grace')).get('/me')).status).toBe(200);
    passes(MINUTE_MS);
    expect((await ada.get('/me')).status).toBe(200);
    expect((await both[1].get('/me')).status).toBe(200);
  });

  it('count requests without a key by address, in whatever way they are answered; never health checks', async () => {
    const sent = [
      '/api/v1/me',
      '/api/v1/nothing',
      '/nothing',
      '/docs',
      '/',
      '/s/none',
      '/api/v1/shares/none',
    ];
    const replies = [];
    for (const path of [...sent, '/media/x/video', '/assets/share/none/none']) replies.push(await page(path));
    expect(replies.map((reply) => shown(reply)[1])).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1']);
    expect(await statuses(2, () => service.api.get('/me'))).toEqual([401, 429]);
    for (const path of sent) expect([path, (await page(path)).status]).toEqual([path, 429]);
    const shared = await page('/s/none');
    expect(shared.headers.get('content-type')).toContain('text/html');
    expect(shared.headers.get('retry-after')).toBe('60');
    expect(await shared.text()).toContain('Too many requests');
    expect(await statuses(30, () => service.api.get('//health/live'))).toEqual(repeated(200, 30));
    expect(shown(await page('/health/ready'))).toEqual([null, null, null]);
    expect((await ada.get('/me')).status).toBe(200);
  });

  it('count wrong keys by address, whatever is wrong with them, while valid ones work', async () => {
    const wrong = service.api.as(WRONG);
    expect(await statuses(3, () => wrong.get('/me'))).toEqual(repeated(401, 3));
    expect((await service.api.as(keyOf('AdaOld')).get('/me')).status).toBe(401);
    const refused = await wrong.get('/me');
    expect(refused).toMatchObject({ status: 429, body: refusal('RATE_LIMITED') });
    expect(shown(refused)).toEqual(['4', '0', '60']);
    expect((await service.api.as(keyOf('AdaOld')).get('/me')).status).toBe(429);
    expect((await ada.get('/me')).status).toBe(200);
    expect((await service.api.get('/me')).status).toBe(401);
  });

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP'])(
    'by address hold whatever address a client puts into %s',
    async (name) => {
      const wrong = service.api.as(WRONG);
      let count = 0;
      const headers = () => ({ [name]: `${name === 'Forwarded' ? 'for=' : ''}203.0.113.${(count += 1)}` });
      expect(await statuses(12, () => service.api.get('/me', { headers: headers() }))).toEqual([
        ...repeated(401, 10),
        ...repeated(429, 2),
      ]);
      expect(await statuses(6, () => wrong.get('/me', { headers: headers() }))).toEqual([
        ...repeated(401, 4),
        ...repeated(429, 2),
      ]);
      const enter = () =>
        service.api.post('/shares/none/access', { password: 'guess' }, { headers: headers() });
      expect(await statuses(1, enter)).toEqual([429]);
    },
  );

  it('are lower for costly operations, which show the lower limit', async () => {
    const first = await ask();
    expect([first.status, ...shown(first)]).toEqual([200, '5', '4', '60']);
    await ada.post('/recordings', { title: 'upload' });
    await ada.post('/uploads', undefined, { headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' } });
    await ada.post(`/recordings/${talk.id}/share-link`, { password: 'pass word' });
    expect((await ada.post(`/recordings/${talk.id}/share-link`, {})).status).toBe(201);
    expect((await ada.post(`/recordings/${talk.id}/summary`)).status).toBe(202);
    const transcription = await ada.post(`/recordings/${talk.id}/transcription`);
    expect(transcription).toMatchObject({
      status: 429,
      body: refusal('RATE_LIMITED', 'Too many costly requests by this user; see Retry-After.'),
    });
    expect((await ask()).status).toBe(429);
    const patch = { password: 'another one' };
    expect((await ada.patch(`/recordings/${talk.id}/share-links/x`, patch)).status).toBe(429);
    expect((await ada.get('/me')).status).toBe(200);
  });

  it('count passwords of share links by address, in the page and in the API', async () => {
    const form = { method: 'POST', body: new URLSearchParams({ password: 'guess' }) };
    expect((await page('/s/none', form)).status).toBe(404);
    const enter = () => service.api.post('/shares/none/access', { password: 'guess' });
    expect(await statuses(3, enter)).toEqual([404, 404, 429]);
    expect((await page('/s/none', form)).status).toBe(429);
    expect((await page('/s/none')).status).toBe(404);
  });

  it('on guessing hold in each process while they cannot be counted in the database', async () => {
    await service.dataSource.query('ALTER TABLE rate_limits RENAME TO away');
    try {
      expect(await statuses(6, () => service.api.as(WRONG).get('/me'))).toEqual([
        ...repeated(401, 4),
        ...repeated(429, 2),
      ]);
    } finally {
      await service.dataSource.query('ALTER TABLE away RENAME TO rate_limits');
    }
  });
});

describe('rate limits of a service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Grace')] });
  });
  afterAll(() => service.stop());

  async function beside(settings: Record<string, string>, use: (other: TestService) => Promise<void>) {
    const other = await startService(settings, { beside: service });
    try {
      await use(other);
    } finally {
      await other.stop();
    }
  }

  it('can be switched off one by one', async () => {
    const none = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1' };
    await beside(none, async (other) => {
      expect(shown(await other.api.as(keyOf('Ada')).get('/me'))).toEqual([null, null, null]);
      expect(await statuses(2, () => other.api.get('/me'))).toEqual([401, 429]);
    });
  });

  it('count the client that a trusted proxy names', async () => {
    const behind = { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_ANONYMOUS_PER_MINUTE: '3' };
    await beside(behind, async (other) => {
      const from = (address: string) => () =>
        other.api.get('/me', { headers: { 'x-forwarded-for': `6.6.6.6, ${address}` } });
      expect(await statuses(4, from('203.0.113.7'))).toEqual([401, 401, 401, 429]);
      expect(await statuses(4, from('203.0.113.8'))).toEqual([401, 401, 401, 429]);
      expect(await statuses(4, from('2001:db8::1'))).toEqual([401, 401, 401, 429]);
      expect(await statuses(1, from('2001:db8::ffff'))).toEqual([429]);
    });
  });

  it('count wrong keys from all addresses together, while valid ones work', async () => {
    await beside({ TRUST_PROXY: 'loopback', RATE_LIMIT_ALL_WRONG_KEYS_PER_MINUTE: '5' }, async (other) => {
      let count = 0;
      const fromAnywhere = (key: string) => () =>
        other.api.as(key).get('/me', { headers: { 'x-forwarded-for': `203.0.113.${(count += 1)}` } });
      expect(await statuses(7, fromAnywhere(WRONG))).toEqual([...repeated(401, 5), 429, 429]);
      expect((await fromAnywhere(WRONG)()).body).toEqual(
        refusal('RATE_LIMITED', 'Too many requests with an invalid API key; see Retry-After.'),
      );
      expect(await statuses(7, fromAnywhere(keyOf('Ada')))).toEqual(repeated(200, 7));
      expect((await other.api.get('/me')).status).toBe(401);
    });
  });

  it('on guessing are kept by two processes together, while each counts the requests of users', async () => {
    const limits = { RATE_LIMIT_PER_MINUTE: '3', RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '5' };
    await beside(limits, (one) =>
      beside(limits, async (two) => {
        const eachFourTimes = async (key: string): Promise<number[]> =>
          (
            await Promise.all(
              [one, two].map((each) => statuses(4, () => each.api.as(key).get('/organizations'))),
            )
          )
            .flat()
            .sort();
        expect(await eachFourTimes(keyOf('Grace'))).toEqual([...repeated(200, 6), ...repeated(429, 2)]);
        expect(await eachFourTimes(WRONG)).toEqual([...repeated(401, 5), ...repeated(429, 3)]);
      }),
    );
  });
});
