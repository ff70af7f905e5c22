import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { Visitor } from '../support/browser-visit.js';
import type { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { OAuthApp } from '../support/oauth.js';
import { query, Sandbox, until, type RunningService } from '../support/process.js';
import { created, demoVideo, RawTus } from '../support/uploads.js';

const MODEL_KEY = 'sk-proj-nobodyMayReadThisKey0123';
const SIGNING_KEY = 'a-key-of-this-test-that-nobody-may-read';
const SEALING_KEY = 'another-key-of-this-test-for-nobody-to-read';
const UNKNOWN_KEY = 'mrs_thisKeyIsKnownToNobodyAtAllButTheLog000000';
const UNKNOWN_TOKEN = 'thisTokenOpensNothing0123456789A';
const PASSWORDS = ['open-sesame-1', 'open-sesame-2', 'wrong-sesame'] as const;
const [PASSWORD, NEXT_PASSWORD, WRONG_PASSWORD] = PASSWORDS;
const SPOKEN = recording('Ada', { transcript: transcript(30) });
const FILM = demoVideo();
/** For what a worker does, on a machine that has much else to do. */
const WORK_MS = 50_000;
const TEST_MS = 60_000;

/** Walks over the operations, by those who may and those who may not; the log is read at the end. */
describe('the whole log of API and worker, at level trace', () => {
  const sandbox = new Sandbox();
  /** Whatever opens something, and what was tried to. */
  const secrets = new Set<string>([
    keyOf('Ada'),
    keyOf('Eve'),
    UNKNOWN_KEY,
    UNKNOWN_TOKEN,
    MODEL_KEY,
    SIGNING_KEY,
    SEALING_KEY,
  ]);
  let database: TestDatabase;
  let models: Server;
  let service: RunningService;
  let ada: Client;
  let film: string;

  beforeAll(async () => {
    database = await createDatabase();
    models = await refuseAll();
    const url = `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`;
    const settings = {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      LOG_LEVEL: 'trace',
      URL_SIGNING_KEY: SIGNING_KEY,
      SEALING_KEY,
      CHAT_URL: url,
      CHAT_MODEL: 'none',
      CHAT_API_KEY: MODEL_KEY,
      TRANSCRIPTION_URL: url,
      TRANSCRIPTION_MODEL: 'none',
      TRANSCRIPTION_API_KEY: MODEL_KEY,
    };
    await sandbox.importInto(settings, { users: [user('Ada'), user('Eve')], recordings: [SPOKEN] });
    service = await sandbox.start(settings);
    ada = service.api.as(keyOf('Ada'));
    const { password } = new URL(database.url);
    if (password) secrets.add(password);
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
    models.close();
  });

  const fetchAll = async (addresses: readonly string[], init?: RequestInit): Promise<number[]> => {
    const replies = await Promise.all(addresses.map((address) => fetch(address, init)));
    return Promise.all(replies.map(async (reply) => (await reply.arrayBuffer(), reply.status)));
  };
  const signaturesOf = (address: string): string[] =>
    address.match(/(?<=signature=|\.)[\w-]{43}(?![\w-])/g) ?? [];
  const addressesOf = ({
    videoUrl,
    hlsUrl,
    downloadUrl,
    thumbnailUrl,
  }: Record<string, string | null>): string[] =>
    [videoUrl, hlsUrl, downloadUrl, thumbnailUrl].filter((address) => typeof address === 'string');

  it('is written: API keys, known, new, revoked and wrong', async () => {
    const { id, key } = (await ada.post('/api-keys', { name: 'laptop' })).body.data;
    secrets.add(key);
    await service.api.as(key).get('/me');
    await ada.delete(`/api-keys/${id}`);
    const statuses = [
      await service.api.as(key).get('/me'),
      await service.api.as(UNKNOWN_KEY).get('/me'),
      await service.api.get('/me', { headers: { authorization: `Basic ${UNKNOWN_KEY}` } }),
      await ada.get(`/me?api_key=${UNKNOWN_KEY}`),
      await service.api.get(`/me?api_key=${keyOf('Ada')}`),
      await service.api.get('/me', { headers: { 'x-api-key': keyOf('Ada') } }),
      await ada.get(`/recordings/${UNKNOWN_KEY}`, { headers: { 'x-request-id': UNKNOWN_KEY } }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 400, 401, 401, 404]);
  });

  it(
    'is written: uploads, packaging in the worker, and media',
    async () => {
      const { id } = await created(ada, { title: 'Film', size: FILM.length });
      film = id;
      const upload = new RawTus(ada, id);
      expect((await upload.patch(7, FILM)).status).toBe(409);
      expect((await upload.patch(0, FILM)).status).toBe(204);
      const detail = async () => (await ada.get(`/recordings/${id}`)).body.data;
      await until('the package', async () => (await detail()).status === 'COMPLETED', WORK_MS);
      const addresses = addressesOf(await detail());
      expect(addresses).toHaveLength(4);
      for (const signature of addresses.flatMap(signaturesOf)) secrets.add(signature);
      expect(await fetchAll(addresses)).toEqual([200, 200, 200, 200]);
      const changed = addresses.map((address) =>
        address.replace(/expires=\d/, 'expires=9').replace(/(?<=\/hls\/[\w-]+\.)\d/, '9'),
      );
      expect(await fetchAll(changed)).toEqual([403, 403, 403, 403]);
    },
    TEST_MS,
  );

  it(
    'is written: share links, with a password and after their end',
    async () => {
      const made = await ada.post(`/recordings/${film}/share-link`, {
        permission: 'download',
        password: PASSWORD,
      });
      const { id, share_token: token } = made.body.data;
      for (const secret of [token, ...PASSWORDS]) secrets.add(secret);
      const enter = (password: string) => service.api.post(`/shares/${token}/access`, { password });
      expect([
        (await service.api.get(`/shares/${token}`)).status,
        (await enter(WRONG_PASSWORD)).status,
      ]).toEqual([403, 403]);
      const { access_token: pass } = (await enter(PASSWORD)).body.data;
      secrets.add(pass.split('.')[1]);
      const headers = { 'x-share-access': pass, cookie: `share_access=${pass}` };
      const shared = await service.api.get(`/shares/${token}`, { headers });
      const addresses = addressesOf(shared.body.data.recording);
      for (const signature of addresses.flatMap(signaturesOf)) secrets.add(signature);
      await fetchAll(addresses);
      const page = `${service.base}/s/${token}`;
      const paths = [
        '',
        '/captions.vtt',
        '/transcript?format=txt',
        '/nothing',
        `?password=${PASSWORD}`,
        `/..%2F${token}`,
      ];
      await fetchAll(
        paths.map((path) => page + path),
        { headers },
      );
      for (const password of [PASSWORD, WRONG_PASSWORD])
        await fetchAll([page], {
          method: 'POST',
          body: new URLSearchParams({ password }),
          redirect: 'manual',
        });
      await ada.patch(`/recordings/${film}/share-links/${id}`, { password: NEXT_PASSWORD });
      expect(new Set(await fetchAll(addresses))).toEqual(new Set([403]));
      await ada.delete(`/recordings/${film}/share-links/${id}`);
      expect((await service.api.get(`/shares/${token}`, { headers })).status).toBe(404);
      expect((await service.api.get(`/shares/${UNKNOWN_TOKEN}`)).status).toBe(404);
    },
    TEST_MS,
  );

  it(
    'is written: content, by models that quote the key they refuse',
    async () => {
      await ada.post(`/recordings/${SPOKEN.id}/summary`);
      await ada.post(`/recordings/${SPOKEN.id}/questions`, { question: 'What does Ada say?' });
      await ada.post(`/recordings/${film}/transcription`, {});
      const eve = service.api.as(keyOf('Eve'));
      expect((await eve.get(`/recordings/${film}`)).status).toBe(404);
      await until(
        'the worker',
        () => service.log.filter(({ msg }) => /refused/.test(String(msg))).length >= 2,
        WORK_MS,
      );
    },
    TEST_MS,
  );

  it('is written: apps that are connected, or try to be', async () => {
    const metadata = await fetch(`${service.base}/.well-known/oauth-authorization-server`);
    const { issuer } = (await metadata.json()) as { issuer: string };
    const browser = new Visitor();
    const body = new URLSearchParams({ key: keyOf('Ada'), to: '/app' });
    const signIn = { method: 'POST', body, headers: { origin: issuer } };
    expect((await browser.request(`${issuer}/sign-in/key`, signIn)).status).toBe(303);
    const app = await OAuthApp.register(issuer, { token_endpoint_auth_method: 'client_secret_post' });
    const back = await app.decide(browser, await app.ask(browser));
    const code = back.searchParams.get('code')!;
    const { body: first } = await app.redeem(code);
    const { body: second } = await app.refresh(first.refresh_token);
    const cli = OAuthApp.of(issuer, 'mrs');
    const { body: device } = await cli.post('/oauth/device-authorization', {});
    const { device_code, verification_uri_complete: link } = device as unknown as Record<string, string>;
    await browser.open(link!);
    await cli.token({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code });
    for (const { access_token: access, refresh_token: refresh } of [first, second])
      for (const secret of [access, refresh]) secrets.add(secret);
    for (const secret of [app.secret!, app.verifier, code, device_code!]) secrets.add(secret);
    secrets.add(browser.cookie(issuer, 'mrs_session')!);
    const wrong = [...secrets].slice(-8);
    await fetchAll(wrong.map((secret) => `${issuer}/oauth/authorize?client_id=${secret}&code=${secret}`));
    await fetchAll(wrong.map((secret) => `${issuer}/oauth/consent/${secret}`));
    expect((await app.redeem(code)).status).toBe(400);
    expect((await service.api.as(second.access_token).get('/me')).status).toBe(401);
  });

  it('is written: requests that are not understood, and faults of the service', async () => {
    const bodies = [`{"password":"${PASSWORD}"`, { password: PASSWORD, api_key: keyOf('Ada') }];
    for (const body of bodies)
      expect((await ada.post(`/recordings/${film}/share-link`, body)).status).toBe(400);
    // In the wrong place of an address, but for what only its name gives away.
    const named = new Set<string>([SIGNING_KEY, SEALING_KEY, new URL(database.url).password, ...PASSWORDS]);
    const misplaced = [...secrets].filter((secret) => !named.has(secret));
    const wrong = misplaced.map((secret) => `${service.base}/api/v1/${secret}`);
    expect(new Set(await fetchAll(wrong))).toEqual(new Set([404]));
    await query(database.url, 'ALTER TABLE share_links RENAME TO hidden_links');
    expect((await service.api.get(`/shares/${UNKNOWN_TOKEN}`)).status).toBe(500);
    await query(database.url, 'ALTER TABLE hidden_links RENAME TO share_links');
    await until('the log', () => service.log.some(({ status }) => status === 500));
  });

  it('has none of the secrets', async () => {
    await service.stop();
    const written = service.program.stdout + service.program.stderr;
    expect(secrets.size).toBeGreaterThan(18);
    expect([...secrets].filter((secret) => written.includes(secret))).toEqual([]);
  });

  it('has the error code of every request that was refused', () => {
    const refused = service.log.filter(({ msg, status }) => msg === 'request' && Number(status) >= 400);
    expect(refused.filter(({ errorCode }) => typeof errorCode !== 'string')).toEqual([]);
    const codes = new Set(refused.map(({ status, errorCode }) => `${String(status)} ${String(errorCode)}`));
    expect([...codes]).toEqual(
      expect.arrayContaining([
        '400 VALIDATION_ERROR',
        '401 INVALID_API_KEY',
        '403 FORBIDDEN',
        '403 SHARE_PASSWORD_REQUIRED',
        '403 SHARE_PASSWORD_WRONG',
        '404 RECORDING_NOT_FOUND',
        '409 CONFLICT',
        '500 INTERNAL_ERROR',
      ]),
    );
    const others = service.log.filter(({ msg, status }) => msg === 'request' && Number(status) < 400);
    expect(others.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
  });
});

/** Models that answer as OpenAI does to a wrong key. */
async function refuseAll(): Promise<Server> {
  const server = createServer((request, response) => {
    const message = `Incorrect API key provided: ${request.headers.authorization?.slice('Bearer '.length) ?? ''}.`;
    request.resume();
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'invalid_api_key' } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
