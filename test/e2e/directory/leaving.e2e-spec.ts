import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { outcome, type Client } from '../../support/client.js';
import { OpenStream } from '../../support/event-stream.js';
import { directoryOf, entraUser, type Scim } from '../../support/scim.js';
import { startService, type TestService } from '../../support/service.js';
import { sessionOf, signedIn } from '../../support/sessions.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });
const other = organization('Other', { members: [member('Stella', 'OWNER'), member('Otto', 'OWNER')] });
const graces = recording('Grace', { title: 'Hers', organization: 'Acme' });
let service: TestService;
let ada: Client;
let directory: Scim;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '0' });
  await service.import({
    users: ['Ada', 'Grace', 'Stella', 'Otto', 'Wanda'].map((name) => user(name)),
    organizations: [acme, other],
    recordings: [graces],
  });
  ada = service.api.as(keyOf('Ada'));
  directory = await directoryOf(service, ada, acme.id);
});
afterAll(() => service?.stop());

const add = async (name: string): Promise<string> => {
  const { body } = await directory.post('/Users', entraUser(name));
  return `/Users/${body.id}`;
};
const disable = (path: string) => directory.patch(path, { op: 'Replace', path: 'active', value: 'False' });
const keyFor = async (client: Client, limits: object): Promise<Client> =>
  service.api.as((await client.post('/api-keys', { name: 'another', ...limits })).body.data.key);

describe('a person whom the directory disables', () => {
  it('loses sessions, streams and keys within a second, and what they own passes on', async () => {
    const path = await add('grace');
    const grace = service.api.as(keyOf('Grace'));
    const graceId = path.slice('/Users/'.length);
    const session = await sessionOf(service, graceId);
    const stream = await OpenStream.open(service.api, session);
    expect((await disable(path)).status).toBe(200);
    expect(outcome(await service.api.as(session).get('/me'))).toEqual([401, 'SESSION_ENDED']);
    expect(outcome(await grace.get('/me'))).toEqual([401, 'INVALID_API_KEY']);
    await stream.until(({ isOpen }) => !isOpen, 1_000);
    const { owner } = (await ada.get(`/recordings/${graces.id}`)).body.data;
    expect(owner.id).toBe((await ada.get('/me')).body.data.id);
    const { body: log } = await ada.get(`/organizations/${acme.id}/audit-log?type=member.removed`);
    expect(log.data[0]).toMatchObject({
      type: 'member.removed',
      actor: { kind: 'user', name: 'Directory' },
    });
  });

  it('keeps the keys that reach other organizations, if they are in one', async () => {
    const stella = service.api.as(keyOf('Stella'));
    const path = await add('stella');
    const ofAcme = await keyFor(stella, { organizations: [acme.id] });
    const ofBoth = await keyFor(stella, { organizations: [acme.id, other.id] });
    await disable(path);
    expect(outcome(await ofAcme.get('/me'))).toEqual([401, 'INVALID_API_KEY']);
    expect((await ofBoth.get('/me')).status).toBe(200);
    expect((await stella.get('/me')).status).toBe(200);
  });

  it('keeps sessions and all other keys if they had never agreed to be a member', async () => {
    const wanda = service.api.as(keyOf('Wanda'));
    const page = await signedIn(service, wanda);
    const path = await add('wanda');
    const ofAcme = await keyFor(wanda, { organizations: [acme.id] });
    expect((await directory.delete(path)).status).toBe(204);
    expect((await page.get('/me')).status).toBe(200);
    expect(outcome(await ofAcme.get('/me'))).toEqual([401, 'INVALID_API_KEY']);
    expect((await wanda.get('/me')).status).toBe(200);
  });
});

describe('the account of a person', () => {
  it('gets its name from the directory that created it, and never another address', async () => {
    const path = await add('nora');
    const renamed = await directory.patch(
      path,
      { op: 'Replace', path: 'displayName', value: 'Nora Smith' },
      { op: 'Replace', path: 'userName', value: 'thief@evil.test' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'thief@evil.test' },
    );
    expect([renamed.status, renamed.body.userName]).toEqual([200, 'thief@evil.test']);
    const { body } = await ada.get(`/organizations/${acme.id}/members?search=nora`);
    expect(body.data).toMatchObject([{ name: 'Nora Smith', email: 'nora@acme.test', email_verified: true }]);
  });

  it('is not written by a directory that has linked it', async () => {
    const path = await add('otto');
    await directory.patch(path, { op: 'Replace', path: 'displayName', value: 'Renamed' });
    const { name } = (await service.api.as(keyOf('Otto')).get('/me')).body.data;
    expect(name).toBe('Otto');
  });

  it('is found again when it returns to the directory', async () => {
    const path = await add('rita');
    await directory.delete(path);
    expect(await add('rita')).toBe(path);
    expect((await directory.get(`/Users/${id()}`)).status).toBe(404);
  });
});
