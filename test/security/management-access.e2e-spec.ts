import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emailOf, folder, id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import type { Client, Reply } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';

const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const;
const CALLERS = [...ROLES, 'Former', 'Stranger', 'Operator', 'Keyless'] as const;
type Name = (typeof CALLERS)[number];
/** Another member of each role, about whom the requests are. */
const SUBJECTS = ['Olaf', 'Anna', 'Edda', 'Vito'] as const;

const people = Object.fromEntries([...CALLERS, ...SUBJECTS].map((name) => [name, user(name)]));
const idOf = (name: string): string => people[name]!.id;

interface World {
  readonly acme: string;
  readonly folder: string;
  /** Of Edda, seen by all members. */
  readonly recording: string;
  readonly ownOf: Readonly<Record<string, string>>;
  readonly toStranger: { readonly id: string; readonly token: string };
  readonly asAdmin: { readonly id: string };
}

interface Operation {
  readonly request: (world: World, caller: Name) => readonly [string, string, object?];
  /** Of callers that are not named here: `others`. Without a key it is 401 throughout, unless named. */
  readonly outcomes: Partial<Record<Name, string>>;
  readonly others?: Partial<Record<'members' | 'rest', string>>;
}

const FORBIDDEN = '403 FORBIDDEN';
const NO_OFFER = '404 TRANSFER_NOT_FOUND';
const UNKNOWN = '404 RECORDING_NOT_FOUND';
const at = ({ acme }: World, path = ''): string => `/organizations/${acme}${path}`;
const owner = { OWNER: '200' };
const managers = { OWNER: '200', ADMIN: '200' };
const operator = { Operator: '200' };
const members = { OWNER: '200', ADMIN: '200', EDITOR: '200', VIEWER: '200' };
const changes = (name: string, body: object) => (world: World) =>
  ['PATCH', at(world, `/members/${idOf(name)}`), body] as const;
const removes = (name: string) => (world: World) => ['DELETE', at(world, `/members/${idOf(name)}`)] as const;
const own = (method: string, body?: object) => (world: World, caller: Name) =>
  [method, at(world, `/members/${idOf(caller)}`), body] as const;
const bulk = (ids: string[], fields: object) => ['POST', '/recordings/bulk', { ids, ...fields }] as const;

const everyone = { ...members, Former: '200', Stranger: '200', Operator: '200' };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'create an organization': {
    request: () => ['POST', '/organizations', { name: 'Another' }],
    outcomes: Object.fromEntries(Object.keys(everyone).map((name) => [name, '201'])),
  },
  'list organizations': { request: () => ['GET', '/organizations'], outcomes: everyone },
  'list the members': { request: (world) => ['GET', at(world, '/members')], outcomes: members },
  'list the folders': { request: (world) => ['GET', at(world, '/folders')], outcomes: members },
  'get the organization': { request: (world) => ['GET', at(world)], outcomes: { ...members, ...operator } },
  'rename it': { request: (world) => ['PATCH', at(world), { name: 'Renamed' }], outcomes: owner },
  'change its features': {
    request: (world) => ['PATCH', at(world), { features: { sharing: false } }],
    outcomes: owner,
  },
  'change its plan': { request: (world) => ['PATCH', at(world), { plan: 'FREE' }], outcomes: operator },
  'change its subscription': {
    request: (world) => ['PATCH', at(world), { subscription: { status: 'expired' } }],
    outcomes: operator,
  },
  'rename it and change its plan': {
    request: (world) => ['PATCH', at(world), { name: 'Renamed', plan: 'FREE' }],
    outcomes: {},
  },
  'delete it': { request: (world) => ['DELETE', at(world, '?recordings=delete')], outcomes: owner },
  'delete it without its recordings': {
    request: (world) => ['DELETE', at(world)],
    outcomes: { OWNER: '409 CONFLICT' },
  },

  'offer the ownership': {
    request: (world) => ['POST', at(world, '/transfer'), { user_id: idOf('Edda') }],
    outcomes: { OWNER: '201' },
  },
  'accept what is offered to the ADMIN': {
    request: (world) => ['POST', at(world, '/transfer/accept')],
    outcomes: { ADMIN: '200' },
    others: { members: NO_OFFER },
  },
  'end the offer to the ADMIN': {
    request: (world) => ['DELETE', at(world, '/transfer')],
    outcomes: managers,
    others: { members: NO_OFFER },
  },

  'lower an EDITOR': { request: changes('Edda', { role: 'VIEWER' }), outcomes: managers },
  'raise a VIEWER to EDITOR': { request: changes('Vito', { role: 'EDITOR' }), outcomes: managers },
  'raise an EDITOR to ADMIN': { request: changes('Edda', { role: 'ADMIN' }), outcomes: owner },
  'raise an ADMIN to OWNER': { request: changes('Anna', { role: 'OWNER' }), outcomes: owner },
  'lower an ADMIN': { request: changes('Anna', { role: 'EDITOR' }), outcomes: owner },
  'lower an OWNER': { request: changes('Olaf', { role: 'ADMIN' }), outcomes: owner },
  'change the features of a VIEWER': {
    request: changes('Vito', { features: { downloads: false } }),
    outcomes: managers,
  },
  'change the features of an ADMIN': {
    request: changes('Anna', { features: { view_all_recordings: true } }),
    outcomes: owner,
  },
  'become OWNER': { request: own('PATCH', { role: 'OWNER' }), outcomes: owner },
  'become ADMIN': { request: own('PATCH', { role: 'ADMIN' }), outcomes: managers },
  'become VIEWER': { request: own('PATCH', { role: 'VIEWER' }), outcomes: members },
  'change their own features': {
    request: own('PATCH', { features: { view_all_recordings: true } }),
    outcomes: owner,
  },
  leave: { request: own('DELETE'), outcomes: members },
  'remove a VIEWER': { request: removes('Vito'), outcomes: managers },
  'remove an EDITOR': { request: removes('Edda'), outcomes: managers },
  'remove an ADMIN': { request: removes('Anna'), outcomes: owner },
  'remove an OWNER': { request: removes('Olaf'), outcomes: owner },

  'create a folder': {
    request: (world) => ['POST', at(world, '/folders'), { name: 'New', restricted_to: [idOf('Edda')] }],
    outcomes: { OWNER: '201', ADMIN: '201' },
  },
  'restrict a folder': {
    request: (world) => ['PATCH', at(world, `/folders/${world.folder}`), { restricted_to: [idOf('Vito')] }],
    outcomes: managers,
  },
  'delete a folder': {
    request: (world) => ['DELETE', at(world, `/folders/${world.folder}`)],
    outcomes: managers,
  },

  'list the invitations': { request: (world) => ['GET', at(world, '/invitations')], outcomes: managers },
  'invite an EDITOR': {
    request: (world) => ['POST', at(world, '/invitations'), { email: 'new@acme.test', role: 'EDITOR' }],
    outcomes: { OWNER: '201', ADMIN: '201' },
  },
  'invite an ADMIN': {
    request: (world) => ['POST', at(world, '/invitations'), { email: 'new@acme.test', role: 'ADMIN' }],
    outcomes: { OWNER: '201' },
  },
  'withdraw the invitation of an EDITOR': {
    request: (world) => ['DELETE', at(world, `/invitations/${world.toStranger.id}`)],
    outcomes: managers,
  },
  'withdraw the invitation of an ADMIN': {
    request: (world) => ['DELETE', at(world, `/invitations/${world.asAdmin.id}`)],
    outcomes: owner,
  },
  'resend the invitation of an EDITOR': {
    request: (world) => ['POST', at(world, `/invitations/${world.toStranger.id}/resend`)],
    outcomes: managers,
  },
  'resend the invitation of an ADMIN': {
    request: (world) => ['POST', at(world, `/invitations/${world.asAdmin.id}/resend`)],
    outcomes: owner,
  },
  'accept the invitation of the Stranger': {
    request: ({ toStranger: { token } }) => ['POST', '/invitations/accept', { token }],
    // Without a key: there is a user with this address, whose key is required.
    outcomes: { Stranger: '201', Keyless: '409 CONFLICT' },
  },

  'move the recording of another to a folder': {
    request: (world) => ['PATCH', `/recordings/${world.recording}`, { folder_id: world.folder }],
    outcomes: managers,
    others: { rest: UNKNOWN },
  },
  'move their own recording to a folder': {
    request: (world, caller) => ['PATCH', `/recordings/${world.ownOf[caller]}`, { folder_id: world.folder }],
    outcomes: { ...managers, EDITOR: '200' },
    others: { rest: UNKNOWN },
  },
  'make the recording of another personal': {
    request: (world) => ['PATCH', `/recordings/${world.recording}`, { organization_id: null }],
    outcomes: {},
    others: { rest: UNKNOWN },
  },
  'make their own recording personal': {
    request: (world, caller) => ['PATCH', `/recordings/${world.ownOf[caller]}`, { organization_id: null }],
    outcomes: { ...managers, EDITOR: '200' },
    others: { rest: UNKNOWN },
  },
  'delete several recordings': {
    request: (world) => bulk([world.recording, world.ownOf['OWNER']!], { action: 'delete' }),
    outcomes: managers,
    others: { rest: UNKNOWN },
  },
  'move several recordings to a folder': {
    request: (world) =>
      bulk([world.recording, world.ownOf['OWNER']!], { action: 'move', folder_id: world.folder }),
    outcomes: managers,
    others: { rest: UNKNOWN },
  },

  'list users': { request: () => ['GET', '/users'], outcomes: operator },
  'update a user': {
    request: () => ['PATCH', `/users/${idOf('Vito')}`, { plan: 'PRO' }],
    outcomes: operator,
  },
  'delete a user': {
    // One who does not exist, for the sake of the others.
    request: () => ['DELETE', `/users/${id()}`],
    outcomes: { Operator: '404 NOT_FOUND' },
  },
  'update themselves': {
    request: (_, caller) => ['PATCH', '/me', { name: caller }],
    outcomes: everyone,
  },
  'update themselves as an operator would': {
    request: (_, caller) => ['PATCH', `/users/${idOf(caller)}`, { plan: 'PRO' }],
    outcomes: operator,
  },
};

/** What an operation could change. */
const STATE = {
  organization:
    'SELECT name, plan, subscription_status, feature_sharing, deleted_at FROM organizations WHERE id = $1',
  members: `SELECT user_id, role, feature_downloads, view_all_recordings FROM organization_members
            WHERE organization_id = $1 ORDER BY user_id`,
  folders: `SELECT f.id, f.name, f.restricted, f.deleted_at, m.user_id FROM folders f
            LEFT JOIN folder_members m ON m.folder_id = f.id WHERE f.organization_id = $1 ORDER BY f.id, m.user_id`,
  invitations: `SELECT id, encode(token_hash, 'hex') AS token, invited_by FROM invitations
                WHERE organization_id = $1 ORDER BY id`,
  transfers: 'SELECT from_user_id, to_user_id FROM organization_transfers WHERE organization_id = $1',
  recordings: 'SELECT id, owner_id, folder_id FROM recordings WHERE organization_id = $1 ORDER BY id',
};

describe('access to the management of an organization', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    const unlimited = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' };
    service = await startService(unlimited);
    const users = Object.values(people).filter(({ name }) => name !== 'Keyless');
    await service.import({ users });
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [idOf('Operator')]);
  });
  afterAll(() => service.stop());

  const as = (name: string): Client => (name === 'Keyless' ? service.api : service.api.as(keyOf(name)));
  const made = async (replying: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body } = await replying;
    expect(status).toBeLessThan(300);
    return body.data;
  };

  beforeEach(async () => {
    const all = { viewAllRecordings: true };
    const plain = folder('Plain');
    const acme = organization(`Acme ${Math.random()}`, {
      members: [
        ...ROLES.map((role) => member(role, role, role === 'EDITOR' || role === 'VIEWER' ? all : {})),
        ...SUBJECTS.map((name, index) => member(name, ROLES[index]!)),
        member('Former', 'OWNER'),
      ],
      folders: [plain],
    });
    const inAcme = { organization: acme.name };
    const ofEdda = recording('Edda', inAcme);
    const ownOf = Object.fromEntries(CALLERS.slice(0, 5).map((name) => [name, recording(name, inAcme)]));
    await service.import({ organizations: [acme], recordings: [ofEdda, ...Object.values(ownOf)] });
    const by = as('OWNER');
    await made(by.delete(`/organizations/${acme.id}/members/${idOf('Former')}`));
    await made(by.post(`/organizations/${acme.id}/transfer`, { user_id: idOf('ADMIN') }));
    const invited = await made(
      by.post(`/organizations/${acme.id}/invitations`, { email: emailOf('Stranger'), role: 'EDITOR' }),
    );
    const asAdmin = await made(
      by.post(`/organizations/${acme.id}/invitations`, { email: 'admin@new.test', role: 'ADMIN' }),
    );
    world = {
      acme: acme.id,
      folder: plain.id,
      recording: ofEdda.id,
      ownOf: {
        ...Object.fromEntries(CALLERS.map((name) => [name, ofEdda.id])),
        ...Object.fromEntries(Object.entries(ownOf).map(([name, one]) => [name, one.id])),
      },
      toStranger: { id: invited.id, token: invited.invite_token },
      asAdmin: { id: asAdmin.id },
    };
  });

  const state = async (): Promise<object> => {
    const queries = Object.values(STATE).map((sql) => service.dataSource.query(sql, [world.acme]));
    return Promise.all(queries);
  };
  const send = async ({ request }: Operation, caller: Name): Promise<string> => {
    const [method, path, body] = request(world, caller);
    const reply = await as(caller).request(method, path, { body });
    return [reply.status, reply.body.error?.code].filter((part) => part !== undefined).join(' ');
  };
  const expected = ({ outcomes, others }: Operation, caller: Name): string => {
    if (outcomes[caller]) return outcomes[caller];
    if (caller === 'Keyless') return '401 UNAUTHORIZED';
    const group = ROLES.some((role) => role === caller) ? 'members' : 'rest';
    return others?.[group] ?? FORBIDDEN;
  };

  describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
    const [refused, allowed] = [true, false].map((is) =>
      CALLERS.filter((caller) => expected(operation, caller).includes(' ') === is),
    ) as [Name[], Name[]];

    it(`refused to ${refused.join(', ')}, and nothing changes`, async () => {
      const before = await state();
      const outcomes: Record<string, string> = {};
      for (const caller of refused) outcomes[caller] = await send(operation, caller);
      expect(outcomes).toEqual(
        Object.fromEntries(refused.map((caller) => [caller, expected(operation, caller)])),
      );
      expect(await state()).toEqual(before);
    });

    if (allowed.length > 0) {
      it.each(allowed)('done for %s', async (caller) => {
        expect(await send(operation, caller)).toBe(expected(operation, caller));
      });
    }
  });
});
