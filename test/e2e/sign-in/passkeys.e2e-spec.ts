import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecurityEventsService } from '../../../src/modules/audit/security-events.service.js';
import { keyOf, user } from '../../factories/workspace.js';
import { addPasskey, Authenticator, type Forgery } from '../../support/authenticator.js';
import { done, outcome, SESSION, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { signedIn } from '../../support/sessions.js';

const REFUSED = [403, 'FORBIDDEN'];
let service: TestService;
let page: Client;
let origin: string;

beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '0',
    RATE_LIMIT_ANONYMOUS_COSTLY_PER_MINUTE: '0',
  });
  await service.import({ users: [user('Ada'), user('Eve'), user('Ida')] });
  origin = service.api.base;
  page = await signedIn(service, service.api.as(keyOf('Ada')));
});
afterAll(() => service?.stop());

const post = (path: string, body?: object, headers: Record<string, string> = { origin }) =>
  service.api.post(`//sign-in/passkey${path}`, body, { headers });
const asked = () => done(post('/options'));

const add = (as = page, more = {}) => addPasskey(as, more);

const signInWith = async (passkey: Authenticator, forgery?: Forgery) =>
  post('', { credential: passkey.get(await asked(), forgery) });

const sessionIn = ({ headers }: { headers: Headers }): Client =>
  service.api.as(SESSION + /mrs_session=(\w+)/.exec(headers.get('set-cookie') ?? '')?.[1]);

describe('a passkey', () => {
  it('signs its user in without anything typed, again and again', async () => {
    const { passkey, options } = await add();
    expect(options).toMatchObject({
      rp: { id: '127.0.0.1' },
      user: { name: 'ada@acme.test' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    });
    const attempt = await asked();
    expect([attempt.rpId, attempt.allowCredentials]).toEqual(['127.0.0.1', undefined]);
    const reply = await post('', { credential: passkey.get(attempt), to: '/s/abc' });
    expect([outcome(reply), reply.body.data]).toEqual([[200, null], { to: '/s/abc' }]);
    const me = await done(sessionIn(reply).get('/me'));
    expect(me).toMatchObject({ email: 'ada@acme.test', session: { way: 'passkey', provider: null } });
    expect(outcome(await signInWith(passkey))).toEqual([200, null]);
  });

  it('never leads away from the service', async () => {
    const { passkey } = await add();
    const credential = passkey.get(await asked());
    expect((await done(post('', { credential, to: '//evil.example' }))).to).toBe('/app');
  });

  it.each<[what: string, Forgery]>([
    ['another challenge', { challenge: 'bm90IGlzc3VlZCBieSB0aGUgc2VydmljZQ' }],
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['the user of another passkey', { userHandle: 'AZxBaiAAegKKAF7tAACgAg' }],
  ])('is refused with %s', async (_, forgery) => {
    const { passkey } = await add();
    expect(outcome(await signInWith(passkey, forgery))).toEqual(REFUSED);
    expect(outcome(await signInWith(passkey))).toEqual([200, null]);
  });

  it('is refused with a counter that has gone back, as that of a copy', async () => {
    const { passkey } = await add();
    expect(outcome(await signInWith(passkey, { counter: 7 }))).toEqual([200, null]);
    expect(outcome(await signInWith(passkey, { counter: 7 }))).toEqual(REFUSED);
    expect(outcome(await signInWith(passkey, { counter: 6 }))).toEqual(REFUSED);
  });

  it('is refused if nobody has added it', async () => {
    const stranger = new Authenticator(origin);
    stranger.create({ challenge: '', user: { id: 'AZxBaiAAegKKAF7tAACgAg' } });
    const reply = await signInWith(stranger);
    expect([outcome(reply), reply.headers.get('set-cookie')]).toEqual([REFUSED, null]);
  });

  it('uses a challenge once, within 10 minutes', async () => {
    const { passkey } = await add();
    const used = await asked();
    expect(outcome(await post('', { credential: passkey.get(used) }))).toEqual([200, null]);
    expect(outcome(await post('', { credential: passkey.get(used) }))).toEqual(REFUSED);
    const late = await asked();
    service.setNow(new Date(Date.now() + 601_000));
    expect(outcome(await post('', { credential: passkey.get(late) }))).toEqual(REFUSED);
    service.setNow(null);
  });

  it('is not taken from another site, nor without what it consists of', async () => {
    const { passkey } = await add();
    const credential = passkey.get(await asked());
    const others: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of others) {
      expect(outcome(await post('/options', undefined, headers))).toEqual(REFUSED);
      expect(outcome(await post('', { credential }, headers))).toEqual(REFUSED);
    }
    const { userHandle: _, ...response } = credential.response;
    const wrong = await post('', { credential: { ...credential, response } });
    expect(outcome(wrong)).toEqual([400, 'VALIDATION_ERROR']);
    expect(wrong.body.error.message).toBe('credential.response.userHandle: is missing');
    expect(outcome(await post('', undefined))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('adding a passkey', () => {
  it('needs a session, and its token', async () => {
    const key = service.api.as(keyOf('Ada'));
    expect(outcome(await key.post('//account/passkeys/options'))).toEqual(REFUSED);
    const { challenge } = await done(page.post('//account/passkeys/options'));
    const made = new Authenticator(origin).create({ challenge, user: { id: 'x' } });
    expect(outcome(await key.post('//account/passkeys', { name: 'Laptop', credential: made }))).toEqual(
      REFUSED,
    );
    const others: Record<string, string>[] = [{ 'x-csrf-token': '' }, { origin: 'https://evil.example' }];
    for (const headers of others) {
      expect(outcome(await page.post('//account/passkeys/options', undefined, { headers }))).toEqual(REFUSED);
      const credential = new Authenticator(origin).create({ challenge: 'x', user: { id: 'x' } });
      const body = { name: 'Laptop', credential };
      expect(outcome(await page.post('//account/passkeys', body, { headers }))).toEqual(REFUSED);
    }
  });

  it('is refused with the challenge of somebody else, a used one, or another origin', async () => {
    const eve = await signedIn(service, service.api.as(keyOf('Eve')));
    const { options, passkey } = await add(eve);
    const credential = new Authenticator(origin).create(await done(eve.post('//account/passkeys/options')));
    const of = (made: object) => page.post('//account/passkeys', { name: 'Laptop', credential: made });
    expect(outcome(await of(credential))).toEqual(REFUSED);
    expect(outcome(await of(passkey.create(options)))).toEqual(REFUSED);
    const elsewhere = await add(page, { origin: 'https://evil.example' });
    expect(outcome(elsewhere.reply)).toEqual(REFUSED);
  });

  it('is refused for one that is there, without a name, and beyond 20', async () => {
    const ida = await signedIn(service, service.api.as(keyOf('Ida')));
    const { passkey } = await add(ida);
    expect(outcome((await add(page, { passkey })).reply)).toEqual([409, 'CONFLICT']);
    const credential = new Authenticator(origin).create(await done(ida.post('//account/passkeys/options')));
    const unnamed = await ida.post('//account/passkeys', { name: ' ', credential });
    expect([outcome(unnamed), unnamed.body.error.message]).toEqual([
      [400, 'VALIDATION_ERROR'],
      'name: must have 1 to 100 characters',
    ]);
    for (let added = 1; added < 20; added += 1) expect((await add(ida)).reply.status).toBe(204);
    expect(outcome((await add(ida)).reply)).toEqual([409, 'CONFLICT']);
  });

  it('is in the audit log', async () => {
    const log = await page.get('/me/audit-log?type=passkey.added&limit=1');
    const me = await done(page.get('/me'));
    expect(log.body.data).toMatchObject([{ type: 'passkey.added', actor: { id: me.id } }]);
  });
});

it('counts passkeys that are not accepted like wrong keys, and logs them', async () => {
  const other = await startService({ RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '2' }, { beside: service });
  const base = other.api.base;
  const send = async () => {
    const passkey = new Authenticator(base);
    const headers = { origin: base };
    const options = await done(other.api.post('//sign-in/passkey/options', undefined, { headers }));
    passkey.create({ ...options, user: { id: 'AZxBaiAAegKKAF7tAACgAg' } });
    return outcome(
      await other.api.post('//sign-in/passkey', { credential: passkey.get(options) }, { headers }),
    );
  };
  expect([await send(), await send()]).toEqual([REFUSED, REFUSED]);
  expect(await send()).toEqual([429, 'RATE_LIMITED']);
  await other.app.get(SecurityEventsService).flush();
  const [{ details }] = await other.dataSource.query(
    `SELECT details FROM change_log WHERE type = 'sign_in.refused' ORDER BY at DESC LIMIT 1`,
  );
  expect(details).toEqual({ way: 'passkey', code: 'FORBIDDEN', count: 3 });
  await other.stop();
});

it('belongs to the host of PUBLIC_URL', async () => {
  const url = 'https://meet.acme.test/app';
  const other = await startService({ PUBLIC_URL: url }, { beside: service });
  const optionsFrom = (from: string) =>
    other.api.post('//sign-in/passkey/options', undefined, { headers: { origin: from } });
  expect(outcome(await optionsFrom(other.api.base))).toEqual(REFUSED);
  expect((await done(optionsFrom('https://meet.acme.test'))).rpId).toBe('meet.acme.test');
  await other.stop();
});
