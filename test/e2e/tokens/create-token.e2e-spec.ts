import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLIENT_SCOPES } from '../../../src/contract/scopes.js';
import {
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  transcript,
  user,
} from '../../factories/workspace.js';
import { browserToken, Page, SITE } from '../../support/browser-tokens.js';
import { done, outcome, refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { signedIn } from '../../support/sessions.js';

const READ = ['recordings:read', 'transcripts:read'];

describe('POST /tokens', () => {
  let service: TestService;
  let ada: Client;
  const lobby = folder('Lobby');
  const board = folder('Board');
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Bob', 'EDITOR')],
    folders: [lobby, board],
  });
  const shown = recording('Ada', { organization: 'Acme', folder: 'Lobby', transcript: transcript(3) });
  const other = recording('Ada', { organization: 'Acme', folder: 'Board', transcript: transcript(3) });
  const personal = recording('Ada');
  const foreign = recording('Bob');

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Bob')],
      organizations: [acme],
      recordings: [shown, other, personal, foreign],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const ask = (fields: object, by = ada) => by.post('/tokens', { scopes: READ, origins: [SITE], ...fields });
  const keyWith = async (limits: object): Promise<Client> =>
    service.api.as((await done(ada.post('/api-keys', { name: 'made', ...limits }))).key);

  it('returns a token with which pages of its origins read its recordings, for 15 minutes', async () => {
    const before = Date.now();
    const { status, headers, body } = await ask({ recordings: [shown.id.toUpperCase()] });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.data).toEqual({ token: expect.stringMatching(/^mrb_1\./), expires_at: expect.any(String) });
    const seconds = (Date.parse(body.data.expires_at) - before) / 1000;
    expect(Math.round(seconds / 10) * 10).toBe(900);
    const page = new Page(ada, body.data.token);
    expect((await done(page.get(`/recordings/${shown.id}`))).id).toBe(shown.id);
    const read = await done(page.get(`/recordings/${shown.id}/transcript`));
    expect(read.segments).toHaveLength(3);
  });

  it('ends with its key, if that ends earlier', async () => {
    const key = await keyWith({ expires_in: 120 });
    const { body } = await ask({ recordings: [shown.id], expires_in: 3600 }, key);
    expect(Date.parse(body.data.expires_at)).toBeLessThanOrEqual(Date.now() + 120_000);
  });

  it.each([
    ['no scope', { scopes: [] }, 'scopes: must be a list of at least one scope'],
    [
      'a scope that no browser has',
      { scopes: ['keys:manage'] },
      /^scopes\[0\]: must be one of recordings:read, /,
    ],
    [
      'neither recordings nor a folder',
      { recordings: undefined },
      'recordings: send either recordings or folder',
    ],
    ['both', { folder: lobby.id }, 'recordings: send either recordings or folder'],
    ['no recordings', { recordings: [] }, 'recordings: must contain at least 1 id'],
    [
      '51 recordings',
      { recordings: Array.from({ length: 51 }, id) },
      'recordings: must contain at most 50 ids',
    ],
    ['59 seconds', { expires_in: 59 }, 'expires_in: must be an integer from 60 to 3600, in seconds'],
    ['more than an hour', { expires_in: 3601 }, 'expires_in: must be an integer from 60 to 3600, in seconds'],
    ['no origin', { origins: [] }, /^origins: must be a list of 1 to 10 origins/],
    [
      'eleven',
      { origins: Array.from({ length: 11 }, (_, n) => `https://${n}.example`) },
      /^origins: must be a list of/,
    ],
    ['any origin', { origins: ['*'] }, /^origins\[0\]: must be an origin such as/],
    ['a wildcard', { origins: ['https://*.example'] }, /^origins\[0\]: must be an origin/],
    ['http of another host', { origins: [SITE, 'http://app.example'] }, /^origins\[1\]: must be an origin/],
    ['a path', { origins: ['https://app.example/page'] }, /^origins\[0\]: must be an origin/],
    ['a user', { origins: ['https://me@app.example'] }, /^origins\[0\]: must be an origin/],
    ['null', { origins: ['null'] }, /^origins\[0\]: must be an origin/],
    [
      'a long recipient',
      { recipient: 'x'.repeat(201) },
      /^recipient: must be a string of 1 to 200 characters/,
    ],
    ['a bell as the recipient', { recipient: 'a\u0007b' }, /without control characters/],
  ])('refuses %s', async (_, fields, message) => {
    const { status, body } = await ask({ recordings: [shown.id], ...fields });
    expect([status, body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', typeof message === 'string' ? message : expect.stringMatching(message)),
    ]);
  });

  it('takes origins as browsers send them, whatever their case, port and slash', async () => {
    const origins = ['HTTPS://App.Example:443/', 'http://localhost:5173', 'http://127.0.0.1:80'];
    const page = await Page.open(ada, { scopes: READ, recordings: [shown.id], origins });
    for (const origin of [SITE, 'http://localhost:5173', 'http://127.0.0.1'])
      expect((await page.at(origin).get(`/recordings/${shown.id}`)).status).toBe(200);
  });

  it('refuses recordings and folders that the key does not reach as those that do not exist', async () => {
    const limited = await keyWith({ folders: [lobby.id] });
    for (const [recordings, by] of [
      [[shown.id, foreign.id], ada],
      [[shown.id, id()], ada],
      [[shown.id, 'none'], ada],
      [[shown.id, other.id], limited],
      [[shown.id, personal.id], limited],
    ] as const)
      expect((await ask({ recordings }, by)).body).toEqual(
        refusal('RECORDING_NOT_FOUND', 'recordings[1]: Recording not found.'),
      );
    for (const [place, by] of [
      [board.id, limited],
      [id(), ada],
      ['none', ada],
    ] as const)
      expect((await ask({ folder: place }, by)).body).toEqual(
        refusal('VALIDATION_ERROR', 'folder: must be the id of a folder that the API key reaches'),
      );
    expect((await ask({ folder: lobby.id.toUpperCase() }, limited)).status).toBe(200);
  });

  it('needs its scope, and gives none that the key lacks', async () => {
    const without = await keyWith({ scopes: READ });
    expect(outcome(await ask({ recordings: [shown.id] }, without))).toEqual([403, 'FORBIDDEN']);
    const reader = await keyWith({ scopes: ['tokens:create', 'recordings:read'] });
    const { body } = await ask({ recordings: [shown.id] }, reader);
    expect(body.error.message).toMatch(/does not have the scope transcripts:read/);
    expect((await ask({ recordings: [shown.id], scopes: ['recordings:read'] }, reader)).status).toBe(200);
  });

  it('is for keys alone: not for sessions, browser tokens, and OAuth clients', async () => {
    expect(CLIENT_SCOPES).not.toContain('tokens:create');
    const session = await signedIn(service, ada);
    expect((await ask({ recordings: [shown.id] }, session)).body).toEqual(
      refusal('FORBIDDEN', 'Only an API key can create browser tokens: send the key itself.'),
    );
    const page = await Page.open(ada, { scopes: READ, folder: lobby.id });
    const made = await page.post('/tokens', { scopes: READ, folder: lobby.id, origins: [SITE] });
    expect(made.body).toEqual(
      refusal('FORBIDDEN', 'This browser token does not have the scope tokens:create.'),
    );
  });

  it('does not keep the token for a repeated request', async () => {
    const options = { headers: { 'idempotency-key': 'a-token-1' } };
    const body = { scopes: READ, origins: [SITE], recordings: [shown.id] };
    expect((await done(ada.post('/tokens', body, options))).token).toMatch(/^mrb_1\./);
    const again = await ada.post('/tokens', body, options);
    expect([again.headers.get('idempotency-replayed'), again.body.data.token]).toEqual(['true', null]);
  });

  it('names the recipient as the client of what they change, with a header of at most 8 KB', async () => {
    const recipient = '漢'.repeat(199);
    const origins = [
      SITE,
      ...Array.from({ length: 9 }, (_, n) => `https://${'a.'.repeat(120)}n${n}.example`),
    ];
    const recordings = [shown.id, other.id, personal.id];
    const token = await browserToken(ada, { scopes: ['recordings:write'], recordings, origins, recipient });
    expect(token.length).toBeLessThan(8_000);
    await done(new Page(ada, token).patch(`/recordings/${personal.id}`, { title: 'Renamed' }));
    const log = await done(ada.get('/me/audit-log?type=recording.updated'));
    expect(log[0]).toMatchObject({ client: `for ${recipient}; node` });
  });
});
