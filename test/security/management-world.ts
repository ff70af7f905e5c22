import { expect } from '@jest/globals';
import { emailOf, folder, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import type { Client, Reply } from '../support/client.js';
import { insertRows, insertServiceAccount, recordingRow } from '../factories/worlds.js';
import { startService, type TestService } from '../support/service.js';

/** Two organizations and the people whose rights in them `management-access.ts` tests. */

export const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const;
/** The roles are those in Acme; `Machine` is a service account with the role ADMIN. */
export const CALLERS = [...ROLES, 'Machine', 'Former', 'Stranger', 'Operator', 'Keyless'] as const;
export type Caller = (typeof CALLERS)[number];
/** Another member of each role, about whom the requests are. */
const SUBJECTS = ['Olaf', 'Anna', 'Edda', 'Vito'] as const;

const people = Object.fromEntries(
  [...CALLERS, ...SUBJECTS]
    .filter((name) => name !== 'Keyless' && name !== 'Machine')
    .map((name) => [name, user(name)]),
);
let machineId = '';
/** That of nobody for `Keyless`. */
export const idOf = (name: Caller | (typeof SUBJECTS)[number]): string =>
  name === 'Machine' ? machineId : (people[name]?.id ?? 'nobody');

/** A service account of Acme, and its key. */
interface MadeAccount {
  readonly id: string;
  readonly keyId: string;
}

interface Invited {
  readonly id: string;
  readonly token: string;
}

/** What a request can be about. */
export interface World {
  readonly acme: string;
  /** Where roles differ: OWNER, EDITOR, VIEWER and Former are EDITOR, and ADMIN and Edda are VIEWER. */
  readonly beta: string;
  /** Of Acme. */
  readonly folder: string;
  /** Of Edda, in Acme, seen by all members. */
  readonly recording: string;
  /** Two in Acme; for those who have none there, `recording`. */
  readonly ownOf: Readonly<Record<Caller, readonly string[]>>;
  /** Another service account with the role EDITOR, and one with ADMIN. */
  readonly machines: Readonly<Record<'EDITOR' | 'ADMIN', MadeAccount>>;
  readonly toStranger: Invited;
  /** For nobody who is a user. */
  readonly asAdmin: Invited;
}

/** Tables that an operation could change, each after those that it refers to. */
const TABLES = [
  'organizations',
  'users',
  'api_keys',
  'erasures',
  'organization_members',
  'folders',
  'folder_members',
  'recordings',
  'share_links',
  'invitations',
  'invitation_folders',
  'organization_transfers',
  'glossaries',
  'transcript_voices',
  'organization_retention',
  'audit_streams',
];
const KEEP = TABLES.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table}`);
const RESTORE = [
  ...TABLES.toReversed().map((table) => `DELETE FROM ${table}`),
  ...TABLES.map((table) => `INSERT INTO ${table} TABLE kept_${table}`),
].join(';\n');
/** A line for each row, in order; without sessions, as in `test/long` each request comes with a new one. */
const STATE = `SELECT string_agg(line, E'\\n' ORDER BY line) AS lines FROM (${TABLES.map(
  (table) =>
    `SELECT '${table} ' || (to_jsonb(t) - 'last_used_at' - 'last_used_address')::text AS line FROM ${table} t${table === 'api_keys' ? ' WHERE signed_in_by IS NULL' : ''}`,
).join(' UNION ALL ')}) AS rows`;

export class ManagementWorld {
  /** Whether nothing is known to have changed. */
  private isKept = true;

  private constructor(
    private readonly service: TestService,
    readonly world: World,
    /** What the world is like before each request. */
    readonly kept: string,
  ) {}

  static async start(): Promise<ManagementWorld> {
    const service = await startService({ RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' });
    const world = await build(service);
    for (const statement of KEEP) await service.dataSource.query(statement);
    return new ManagementWorld(service, world, await stateOf(service));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  as(caller: Caller): Client {
    return caller === 'Keyless' ? this.service.api : this.service.api.as(keyOf(caller));
  }

  /** Undoes what requests have changed. */
  async restore(): Promise<void> {
    if (!this.isKept) await this.service.dataSource.query(RESTORE);
    this.isKept = false;
  }

  async state(): Promise<string> {
    const state = await stateOf(this.service);
    this.isKept = state === this.kept;
    return state;
  }
}

async function stateOf({ dataSource }: TestService): Promise<string> {
  const [{ lines = '' } = {}] = await dataSource.query<{ lines: string }[]>(STATE);
  return lines;
}

async function build(service: TestService): Promise<World> {
  const all = { viewAllRecordings: true };
  const plain = folder('Plain');
  const acme = organization('Acme', {
    members: [
      ...ROLES.map((role) => member(role, role, role === 'EDITOR' || role === 'VIEWER' ? all : {})),
      ...SUBJECTS.map((name, index) => member(name, ROLES[index]!)),
      member('Former', 'OWNER'),
    ],
    folders: [plain],
  });
  const beta = organization('Beta', {
    members: [
      member('Olaf', 'OWNER'),
      member('ADMIN', 'VIEWER'),
      member('Edda', 'VIEWER'),
      ...['OWNER', 'EDITOR', 'VIEWER', 'Former'].map((name) => member(name, 'EDITOR')),
    ],
  });
  // Whose last OWNER is nobody in the others.
  const solo = organization('Solo', { members: [member('Stranger', 'OWNER')] });
  const inAcme = { organization: acme.name };
  const ofEdda = recording('Edda', inAcme);
  const own = [...ROLES, 'Former'].map(
    (name) => [name, [recording(name, inAcme), recording(name, inAcme)]] as const,
  );
  await service.import({
    users: Object.values(people),
    organizations: [acme, beta, solo],
    recordings: [ofEdda, ...own.flatMap(([, recordings]) => recordings)],
  });
  await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [idOf('Operator')]);
  const machine = { name: 'Machine', organizationId: acme.id, role: 'ADMIN' };
  machineId = await insertServiceAccount(service.dataSource, machine);
  const ofMachine = [recordingRow(), recordingRow()].map((row) => ({
    ...row,
    owner_id: machineId,
    organization_id: acme.id,
  }));
  await insertRows(service.dataSource, 'recordings', ofMachine);

  const owner = service.api.as(keyOf('OWNER'));
  const made = async (replying: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body } = await replying;
    expect(status).toBeLessThan(300);
    return body.data;
  };
  const invited = async (email: string, role: string): Promise<Invited> => {
    const body = { email, role };
    const { id, invite_token: token } = await made(owner.post(`/organizations/${acme.id}/invitations`, body));
    return { id, token };
  };
  const account = async (role: string): Promise<MadeAccount> => {
    const body = { name: `Bot ${role}`, role };
    const { id, api_key: key } = await made(owner.post(`/organizations/${acme.id}/service-accounts`, body));
    return { id, keyId: key.id };
  };
  await made(owner.delete(`/organizations/${acme.id}/members/${idOf('Former')}`));
  await made(owner.post(`/organizations/${acme.id}/transfer`, { user_id: idOf('ADMIN') }));
  const ownOf = Object.fromEntries([
    ...CALLERS.map((name) => [name, [ofEdda.id]]),
    ...own.map(([name, recordings]) => [name, recordings.map(({ id }) => id)]),
    ['Machine', ofMachine.map(({ id }) => id)],
  ]) as Record<Caller, string[]>;
  return {
    acme: acme.id,
    beta: beta.id,
    folder: plain.id,
    recording: ofEdda.id,
    ownOf,
    machines: { EDITOR: await account('EDITOR'), ADMIN: await account('ADMIN') },
    toStranger: await invited(emailOf('Stranger'), 'EDITOR'),
    asAdmin: await invited('admin@new.test', 'ADMIN'),
  };
}
