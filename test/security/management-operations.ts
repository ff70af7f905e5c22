import { emailOf, id, ownDeletion } from '../factories/workspace.js';
import { LOGO } from '../support/logo.js';
import { Client } from '../support/client.js';
import { idOf, ROLES, type Caller, type World } from './management-world.js';

/** The operations that manage an organization, and what each leads to for whom. */

export interface Operation {
  readonly request: (world: World, caller: Caller) => readonly [method: string, path: string, body?: object];
  /** Of callers that are not named here: `others`. Without a key it is 401 throughout, unless named. */
  readonly outcomes: Partial<Record<Caller, string>>;
  readonly others?: Partial<Record<'members' | 'rest', string>>;
}

const FORBIDDEN = '403 FORBIDDEN';
const INVALID = '400 VALIDATION_ERROR';
const NO_OFFER = '404 TRANSFER_NOT_FOUND';
const UNKNOWN = '404 RECORDING_NOT_FOUND';
const NO_MEMBER = '404 MEMBER_NOT_FOUND';
const NO_ORGANIZATION = '404 ORGANIZATION_NOT_FOUND';
const at = ({ acme }: World, path = ''): string => `/organizations/${acme}${path}`;
const owner = { OWNER: '200' };
const managers = { OWNER: '200', ADMIN: '200' };
const operator = { Operator: '200' };
const members = { OWNER: '200', ADMIN: '200', EDITOR: '200', VIEWER: '200' };
const everyone = { ...members, Former: '200', Stranger: '200', Operator: '200' };
const changes = (name: Parameters<typeof idOf>[0], body: object) => (world: World) =>
  ['PATCH', at(world, `/members/${idOf(name)}`), body] as const;
const removes =
  (name: Parameters<typeof idOf>[0], query = '') =>
  (world: World) =>
    ['DELETE', at(world, `/members/${idOf(name)}${query}`)] as const;
const own =
  (method: string, body?: object, query = '') =>
  (world: World, caller: Caller) =>
    [method, at(world, `/members/${idOf(caller)}${query}`), body] as const;
const bulk = (ids: readonly string[], fields: object) =>
  ['POST', '/recordings/bulk', { ids, ...fields }] as const;
const accountAt = (world: World, role: 'EDITOR' | 'ADMIN' = 'EDITOR'): string =>
  at(world, `/service-accounts/${world.machines[role].id}`);
const keyAt = (world: World, role: 'EDITOR' | 'ADMIN' = 'EDITOR'): string =>
  `${accountAt(world, role)}/keys/${world.machines[role].keyId}`;
const several = ({ recording, ownOf }: World): string[] => [recording, ...ownOf['OWNER']];

/** Where a service account may not do what a member with its role may: it is no member, and belongs to its organization. */
const OF_SERVICE_ACCOUNTS: Readonly<Record<string, string>> = {
  'create an organization': FORBIDDEN,
  'accept what is offered to the ADMIN': NO_OFFER,
  'end the offer to the ADMIN': NO_OFFER,
  'become OWNER': NO_MEMBER,
  'become ADMIN': NO_MEMBER,
  'become VIEWER': NO_MEMBER,
  'change their own features': NO_MEMBER,
  leave: NO_MEMBER,
  'leave their recordings to an EDITOR': NO_MEMBER,
  'make their own recording personal': FORBIDDEN,
  'update themselves': FORBIDDEN,
  'move the recording of another to another organization': NO_ORGANIZATION,
  'move their own recording to another organization': NO_ORGANIZATION,
  'move several recordings to another organization': NO_ORGANIZATION,
  'move several of their own recordings to another organization': NO_ORGANIZATION,
  'delete themselves': FORBIDDEN,
};

const DESCRIBED: Readonly<Record<string, Operation>> = {
  'create an organization': {
    request: () => ['POST', '/organizations', { name: 'Another' }],
    outcomes: Object.fromEntries(Object.keys(everyone).map((name) => [name, '201'])),
  },
  'list organizations': { request: () => ['GET', '/organizations'], outcomes: everyone },
  'list the members': { request: (world) => ['GET', at(world, '/members')], outcomes: members },
  'list the folders': { request: (world) => ['GET', at(world, '/folders')], outcomes: members },
  'list the folders with inactive ones': {
    request: (world) => ['GET', at(world, '/folders?all=true')],
    outcomes: managers,
  },
  'get the organization': { request: (world) => ['GET', at(world)], outcomes: { ...members, ...operator } },
  'rename it': { request: (world) => ['PATCH', at(world), { name: 'Renamed' }], outcomes: owner },
  'change its features': {
    request: (world) => ['PATCH', at(world), { features: { sharing: false } }],
    outcomes: owner,
  },
  'let members take their recordings': {
    request: (world) => ['PATCH', at(world), { members_may_take_recordings: true }],
    outcomes: owner,
  },
  // The keys of these callers never expire, so that nobody can demand it with them. Sessions do.
  'demand that API keys expire': {
    request: (world) => ['PATCH', at(world), { api_key_max_days: 90 }],
    outcomes: Client.exchange ? owner : { OWNER: '409 CONFLICT' },
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
  'leave their recordings to an EDITOR': {
    request: own('DELETE', undefined, `?new_owner=${idOf('Edda')}`),
    outcomes: members,
  },
  'remove a VIEWER': { request: removes('Vito'), outcomes: managers },
  'remove an EDITOR': { request: removes('Edda'), outcomes: managers },
  'remove an ADMIN': { request: removes('Anna'), outcomes: owner },
  'remove an EDITOR, whose recordings a VIEWER gets': {
    request: removes('Edda', `?new_owner=${idOf('Vito')}`),
    outcomes: managers,
  },
  'remove an EDITOR, whose recordings a stranger would get': {
    request: removes('Edda', `?new_owner=${idOf('Stranger')}`),
    outcomes: { OWNER: INVALID, ADMIN: INVALID },
  },
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

  'list the voices': { request: (world) => ['GET', at(world, '/voices')], outcomes: managers },
  'delete a voice': {
    request: (world) => ['DELETE', at(world, `/voices/${id()}`)],
    outcomes: { OWNER: '404 NOT_FOUND', ADMIN: '404 NOT_FOUND' },
  },
  'remember voices': {
    request: (world) => ['PATCH', at(world), { remember_voices: true }],
    outcomes: owner,
  },

  'get the glossary': { request: (world) => ['GET', at(world, '/glossary')], outcomes: members },
  'replace the glossary': {
    request: (world) => ['PUT', at(world, '/glossary'), { terms: [{ term: 'GraphQL' }] }],
    outcomes: managers,
  },

  'get the retention rules': { request: (world) => ['GET', at(world, '/retention')], outcomes: managers },
  'preview the retention rules': {
    request: (world) => ['GET', at(world, '/retention/preview')],
    outcomes: managers,
  },
  'replace the retention rules': {
    request: (world) => ['PUT', at(world, '/retention'), { rules: [{ removes: 'all', days: 900 }] }],
    outcomes: owner,
  },

  'replace the logo': { request: (world) => ['PUT', at(world, '/logo'), LOGO], outcomes: owner },
  'remove the logo': { request: (world) => ['DELETE', at(world, '/logo')], outcomes: owner },

  'get where the audit log is sent': {
    request: (world) => ['GET', at(world, '/audit-stream')],
    outcomes: { OWNER: '404 AUDIT_STREAM_NOT_FOUND' },
  },
  'send the audit log somewhere': {
    request: (world) => ['PUT', at(world, '/audit-stream'), { url: 'https://siem.example.com/' }],
    outcomes: owner,
  },
  'stop sending the audit log': {
    request: (world) => ['DELETE', at(world, '/audit-stream')],
    outcomes: { OWNER: '404 AUDIT_STREAM_NOT_FOUND' },
  },

  'preview an erasure': {
    request: (world) => ['POST', at(world, '/erasures'), { email: 'gone@acme.test' }],
    outcomes: { OWNER: '201' },
  },
  'get an erasure': {
    request: (world) => ['GET', at(world, `/erasures/${id()}`)],
    outcomes: { OWNER: '404 NOT_FOUND' },
  },
  'run an erasure': {
    request: (world) => ['POST', at(world, `/erasures/${id()}/run`), {}],
    outcomes: { OWNER: '404 NOT_FOUND' },
  },

  'list the service accounts': {
    request: (world) => ['GET', at(world, '/service-accounts')],
    outcomes: managers,
  },
  'get a service account': { request: (world) => ['GET', accountAt(world)], outcomes: managers },
  'create a service account as EDITOR': {
    request: (world) => ['POST', at(world, '/service-accounts'), { name: 'Bot', role: 'EDITOR' }],
    outcomes: { OWNER: '201', ADMIN: '201' },
  },
  'create a service account as ADMIN': {
    request: (world) => ['POST', at(world, '/service-accounts'), { name: 'Bot', role: 'ADMIN' }],
    outcomes: { OWNER: '201' },
  },
  'rename a service account that is EDITOR': {
    request: (world) => ['PATCH', accountAt(world), { name: 'Renamed' }],
    outcomes: managers,
  },
  'make it ADMIN': { request: (world) => ['PATCH', accountAt(world), { role: 'ADMIN' }], outcomes: owner },
  'rename a service account that is ADMIN': {
    request: (world) => ['PATCH', accountAt(world, 'ADMIN'), { name: 'Renamed' }],
    outcomes: owner,
  },
  'delete a service account that is EDITOR': {
    request: (world) => ['DELETE', accountAt(world)],
    outcomes: managers,
  },
  'delete a service account that is ADMIN': {
    request: (world) => ['DELETE', accountAt(world, 'ADMIN')],
    outcomes: owner,
  },
  'create a key of a service account that is EDITOR': {
    request: (world) => ['POST', `${accountAt(world)}/keys`, { name: 'second' }],
    outcomes: { OWNER: '201', ADMIN: '201' },
  },
  'create a key of a service account that is ADMIN': {
    request: (world) => ['POST', `${accountAt(world, 'ADMIN')}/keys`, { name: 'second' }],
    outcomes: { OWNER: '201' },
  },
  'rotate a key of a service account that is EDITOR': {
    request: (world) => ['POST', `${keyAt(world)}/rotate`, {}],
    outcomes: { OWNER: '201', ADMIN: '201' },
  },
  'rotate a key of a service account that is ADMIN': {
    request: (world) => ['POST', `${keyAt(world, 'ADMIN')}/rotate`, {}],
    outcomes: { OWNER: '201' },
  },
  'revoke a key of a service account that is EDITOR': {
    request: (world) => ['DELETE', keyAt(world)],
    outcomes: managers,
  },
  'revoke a key of a service account that is ADMIN': {
    request: (world) => ['DELETE', keyAt(world, 'ADMIN')],
    outcomes: owner,
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
    // Without a key: as for a new person, whether there is a user with this address or not.
    outcomes: { Stranger: '201', Keyless: INVALID },
  },
  'accept the invitation of a new person, with a name': {
    request: ({ asAdmin: { token } }) => ['POST', '/invitations/accept', { token, name: 'New' }],
    // Those with a key have a name.
    outcomes: { Keyless: '201' },
    others: { members: INVALID, rest: INVALID },
  },
  'accept the invitation of a new person': {
    request: ({ asAdmin: { token } }) => ['POST', '/invitations/accept', { token }],
    outcomes: { Keyless: INVALID },
  },

  'move the recording of another to a folder': {
    request: (world) => ['PATCH', `/recordings/${world.recording}`, { folder_id: world.folder }],
    outcomes: managers,
    others: { rest: UNKNOWN },
  },
  'move their own recording to a folder': {
    request: (world, caller) => [
      'PATCH',
      `/recordings/${world.ownOf[caller][0]}`,
      { folder_id: world.folder },
    ],
    outcomes: { ...managers, EDITOR: '200' },
    others: { rest: UNKNOWN },
  },
  'make the recording of another personal': {
    request: (world) => ['PATCH', `/recordings/${world.recording}`, { organization_id: null }],
    outcomes: {},
    others: { rest: UNKNOWN },
  },
  'make their own recording personal': {
    request: (world, caller) => ['PATCH', `/recordings/${world.ownOf[caller][0]}`, { organization_id: null }],
    outcomes: managers,
    others: { rest: UNKNOWN },
  },
  // ADMIN is VIEWER there, and EDITOR and VIEWER may add recordings there, but not take them away here.
  'move the recording of another to another organization': {
    request: (world) => ['PATCH', `/recordings/${world.recording}`, { organization_id: world.beta }],
    outcomes: owner,
    others: { rest: UNKNOWN },
  },
  'move their own recording to another organization': {
    request: (world, caller) => [
      'PATCH',
      `/recordings/${world.ownOf[caller][0]}`,
      { organization_id: world.beta },
    ],
    outcomes: owner,
    others: { rest: UNKNOWN },
  },

  'delete several recordings': {
    request: (world) => bulk(several(world), { action: 'delete' }),
    outcomes: managers,
    others: { rest: UNKNOWN },
  },
  'delete several of their own recordings': {
    request: (world, caller) => bulk(world.ownOf[caller], { action: 'delete' }),
    outcomes: { ...managers, EDITOR: '200' },
    others: { rest: UNKNOWN },
  },
  'move several recordings to a folder': {
    request: (world) => bulk(several(world), { action: 'move', folder_id: world.folder }),
    outcomes: managers,
    others: { rest: UNKNOWN },
  },
  'move several of their own recordings to a folder': {
    request: (world, caller) => bulk(world.ownOf[caller], { action: 'move', folder_id: world.folder }),
    outcomes: { ...managers, EDITOR: '200' },
    others: { rest: UNKNOWN },
  },
  'move several recordings to another organization': {
    request: (world) => bulk(several(world), { action: 'move', organization_id: world.beta }),
    // The destination is the same for all of them, and comes first.
    outcomes: { ...owner, Former: UNKNOWN },
  },
  'move several of their own recordings to another organization': {
    request: (world, caller) => bulk(world.ownOf[caller], { action: 'move', organization_id: world.beta }),
    outcomes: { ...owner, Former: UNKNOWN },
  },

  'read the log of the installation': { request: () => ['GET', '/audit-log'], outcomes: operator },
  'list users': { request: () => ['GET', '/users'], outcomes: operator },
  'get a user': { request: () => ['GET', `/users/${idOf('Vito')}`], outcomes: operator },
  'create a user': {
    request: () => ['POST', '/users', { name: 'New', email: 'new@new.test' }],
    outcomes: { Operator: '201' },
  },
  'create or change a user': {
    request: () => ['PUT', '/users/ext:CRM-1', { name: 'New', email: 'new@new.test' }],
    outcomes: { Operator: '201' },
  },
  'create an API key for a user': {
    request: () => ['POST', `/users/${idOf('Vito')}/api-keys`, { name: 'Given' }],
    outcomes: { Operator: '201' },
  },
  'create an API key for an operator': {
    request: () => ['POST', `/users/${idOf('Operator')}/api-keys`, { name: 'Given' }],
    outcomes: {},
  },
  'create an organization for a user': {
    request: () => ['POST', '/organizations', { name: 'Another', owner_id: idOf('Vito') }],
    outcomes: { Operator: '201' },
  },
  'add a member as an operator would': {
    request: (world) => ['PUT', at(world, `/members/${idOf('Stranger')}`), { role: 'VIEWER' }],
    outcomes: { Operator: '201' },
  },
  'replace a member as an operator would': {
    request: (world) => ['PUT', at(world, `/members/${idOf('Vito')}`), { role: 'ADMIN' }],
    outcomes: operator,
  },
  'update a user': {
    request: () => ['PATCH', `/users/${idOf('Vito')}`, { plan: 'FREE' }],
    outcomes: operator,
  },
  'delete a user': { request: () => ['DELETE', `/users/${idOf('Vito')}`], outcomes: operator },
  'delete a user who does not exist': {
    request: () => ['DELETE', `/users/${id()}`],
    outcomes: { Operator: '404 NOT_FOUND' },
  },
  'update themselves': {
    request: () => ['PATCH', '/me', { name: 'Renamed' }],
    outcomes: everyone,
  },
  'update themselves as an operator would': {
    request: (_, caller) => ['PATCH', `/users/${idOf(caller)}`, { plan: 'FREE' }],
    outcomes: operator,
  },
  // There is another OWNER in Acme, but none in the organization of the Stranger.
  'delete themselves': {
    request: (_, caller) => ['DELETE', ownDeletion(emailOf(caller))],
    outcomes: { ...everyone, Stranger: '409 CONFLICT' },
  },
};

export const OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries(DESCRIBED).map(([name, operation]) => [
    name,
    { ...operation, outcomes: { Machine: OF_SERVICE_ACCOUNTS[name], ...operation.outcomes } },
  ]),
);

/** What those who may do it have already. */
export const UNCHANGED: readonly (readonly [operation: string, caller: Caller])[] = [
  ['become OWNER', 'OWNER'],
  ['become ADMIN', 'ADMIN'],
  ['become VIEWER', 'VIEWER'],
  ['remove the logo', 'OWNER'],
];

export function expected(
  { outcomes, others }: Pick<Operation, 'outcomes' | 'others'>,
  caller: Caller,
): string {
  if (outcomes[caller]) return outcomes[caller];
  // A service account may do in its organization what a member with the same role may.
  if (caller === 'Machine') return expected({ outcomes, others }, 'ADMIN');
  if (caller === 'Keyless') return '401 UNAUTHORIZED';
  const group = ROLES.some((role) => role === caller) ? 'members' : 'rest';
  return others?.[group] ?? FORBIDDEN;
}
