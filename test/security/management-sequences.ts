import { expect } from '@jest/globals';
import {
  array,
  assert,
  asyncModelRun,
  asyncProperty,
  commands,
  constantFrom,
  nat,
  option,
  record,
  tuple,
  type Arbitrary,
  type AsyncCommand,
} from 'fast-check';
import { id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import type { Reply } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';
import { action, NAMES, outcomeOf, type Action, type Prepared } from './management-actions.js';
import { canSee, memberOf, ROLES, type ModelOrganization, type State } from './management-model.js';

/** No more per round: every order in which they may have happened is tried. */
const AT_ONCE = 3;
const RECORDINGS = 8;

/** How often requests of a kind were carried out, and how often refused. */
export interface Tally {
  done: number;
  refused: number;
}

/** Two processes on one database. */
export interface Services {
  /** By method and path. */
  readonly tallies: Map<string, Tally>;
  readonly first: TestService;
  readonly second: TestService;
  readonly users: readonly string[];
  stop(): Promise<void>;
}

export async function startServices(): Promise<Services> {
  const settings = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' };
  const first = await startService(settings, { generated: true });
  const second = await startService(settings, { generated: true, beside: first });
  const users = NAMES.map((name) => user(name));
  await first.import({ users });
  return {
    tallies: new Map(),
    first,
    second,
    users: users.map((one) => one.id),
    stop: async () => {
      await second.stop();
      await first.stop();
    },
  };
}

/** What is true now; replaced after each round. */
interface Model {
  state: State;
}

/** Several requests at once, by different clients. There must be an order of them that explains every reply and what is left. */
class Round implements AsyncCommand<Model, Services> {
  constructor(
    private readonly actions: readonly Action[],
    private readonly observer: number,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, services: Services): Promise<void> {
    const requests = this.actions.flatMap((prepare) => prepare(model.state, services.users) ?? []);
    const replies = await Promise.all(
      requests.map((request, at) => send(at % 2 === 0 ? services.first : services.second, request)),
    );
    const found = await readState(services, model.state);
    const explained = orders(requests.map((_, at) => at))
      .map((order) => played(model.state, requests, replies, order))
      .find((state) => state !== null && same(state, found));
    if (!explained) {
      const lines = requests.map(({ text }, at) => `${text} -> ${outcomeOf(replies[at]!)}`);
      const alone = played(model.state, requests, replies, [...requests.keys()]);
      throw new Error(
        `No order explains:\n${lines.join('\n')}\nbefore: ${JSON.stringify(model.state)}\nfound: ${JSON.stringify(found)}\nin the order sent: ${JSON.stringify(alone)}`,
      );
    }
    model.state = explained;
    requests.forEach((request, at) => count(services.tallies, request, replies[at]!));
    for (const { members, alive } of explained.organizations) {
      expect(members.some(({ role }) => role === 'OWNER')).toBe(alive);
    }
    await observe(services, explained, this.observer);
  }

  toString(): string {
    return `${this.actions.length} at once`;
  }
}

function send({ api }: TestService, { by, method, path, body }: Prepared): Promise<Reply> {
  return api.as(keyOf(NAMES[by]!)).request(method, path, { body });
}

function count(tallies: Services['tallies'], { method, path }: Prepared, { status }: Reply): void {
  const kind = `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`;
  const tally = tallies.get(kind) ?? { done: 0, refused: 0 };
  tally[status < 300 ? 'done' : 'refused'] += 1;
  tallies.set(kind, tally);
}

function orders(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

/** Null if a reply is not right in this order. */
function played(
  before: State,
  requests: readonly Prepared[],
  replies: readonly Reply[],
  order: readonly number[],
): State | null {
  const state = structuredClone(before);
  const isRight = order.every((at) => {
    const reply = replies[at]!;
    return requests[at]!.apply(state, reply).includes(outcomeOf(reply));
  });
  return isRight ? state : null;
}

/** What a caller sees must be what the model gives them: lists and single resources alike. */
async function observe({ first, users }: Services, state: State, who: number): Promise<void> {
  const client = first.api.as(keyOf(NAMES[who]!));
  const ids = state.recordings.map((one) => one.id);
  const [organizations, listed, ...details] = await Promise.all([
    client.get('/organizations'),
    client.get('/recordings?limit=100'),
    ...ids.map((one) => client.get(`/recordings/${one}`)),
  ]);
  const homes = new Set(state.organizations.map((home) => home.id));
  const given: { id: string; role: string }[] = organizations.body.data;
  expect(
    given
      .filter((home) => homes.has(home.id))
      .map((home) => `${home.id} ${home.role}`)
      .sort(),
  ).toEqual(
    state.organizations.flatMap((home) => memberOf(home, who)?.role.replace(/^/, `${home.id} `) ?? []).sort(),
  );
  const visible = state.recordings.filter((one) => canSee(state, who, one)).map((one) => one.id);
  const inList: string[] = listed.body.data.map((one: { id: string }) => one.id);
  expect(inList.filter((one) => ids.includes(one)).sort()).toEqual([...visible].sort());
  expect(ids.filter((_, at) => details[at]!.status === 200).sort()).toEqual([...visible].sort());
  for (const home of state.organizations.filter((one) => memberOf(one, who))) {
    const { body } = await client.get(`/organizations/${home.id}/members`);
    const rows: { id: string; role: string }[] = body.data;
    expect(rows.map((row) => `${row.id} ${row.role}`).sort()).toEqual(
      home.members.map((row) => `${users[row.who]} ${row.role}`).sort(),
    );
  }
}

const MEMBERS = `
  SELECT organization_id AS home, user_id AS who, role, view_all_recordings AS "viewAll",
         view_folder_recordings AS "viewFolder", feature_downloads AS downloads
  FROM organization_members WHERE organization_id = ANY ($1)`;
const FOLDERS = `
  SELECT f.organization_id AS home, f.id, f.active,
         CASE WHEN f.restricted THEN ARRAY(SELECT user_id FROM folder_members m WHERE m.folder_id = f.id) END AS named
  FROM folders f WHERE f.organization_id = ANY ($1) AND f.deleted_at IS NULL`;
const INVITATIONS = `
  SELECT i.organization_id AS home, i.id, i.role, i.invited_by AS by, u.id AS who FROM invitations i
  JOIN users u ON u.email = i.email WHERE i.organization_id = ANY ($1)`;
const TRANSFERS =
  'SELECT organization_id AS home, from_user_id AS "from", to_user_id AS "to" FROM organization_transfers WHERE organization_id = ANY ($1)';
const ORGANIZATIONS =
  'SELECT id, feature_downloads AS downloads, deleted_at IS NULL AS alive FROM organizations WHERE id = ANY ($1)';
const RECORDINGS_NOW = `
  SELECT r.id, r.owner_id AS owner, r.organization_id AS home, f.id AS folder FROM recordings r
  LEFT JOIN folders f ON f.id = r.folder_id AND f.deleted_at IS NULL WHERE r.id = ANY ($1)`;

/** Of any of these queries: each has some of the columns. */
interface Row {
  readonly id: string;
  readonly home: string;
  readonly who: string;
  readonly by: string;
  readonly from: string;
  readonly to: string;
  readonly owner: string;
  readonly named: string[] | null;
}

/** What the database holds, in the terms of the model. */
async function readState({ first, users }: Services, { organizations, recordings }: State): Promise<object> {
  const ids = organizations.map((one) => one.id);
  const query = (sql: string, of = ids): Promise<Row[]> => first.dataSource.query(sql, [of]);
  const [homes, members, folders, invitations, transfers] = await Promise.all([
    query(ORGANIZATIONS),
    query(MEMBERS),
    query(FOLDERS),
    query(INVITATIONS),
    query(TRANSFERS),
  ]);
  const rows = await query(
    RECORDINGS_NOW,
    recordings.map((one) => one.id),
  );
  const number = (userId: string): number => users.indexOf(userId);
  const inHome = (all: readonly Row[], home: string): Row[] => all.filter((row) => row.home === home);
  return plain({
    organizations: homes.map(({ id: home, ...facts }) => ({
      id: home,
      ...facts,
      members: inHome(members, home).map((row) => ({ ...row, who: number(row.who) })),
      folders: inHome(folders, home).map((row) => ({
        ...row,
        named: row.named?.map(number) ?? null,
      })),
      invitations: inHome(invitations, home).map((row) => ({
        ...row,
        who: number(row.who),
        by: number(row.by),
      })),
      transfer:
        inHome(transfers, home).map((row) => ({ from: number(row.from), to: number(row.to) }))[0] ?? null,
    })),
    recordings: rows.map((row) => ({ ...row, owner: number(row.owner) })),
  } as object as State);
}

const same = (state: State, stored: object): boolean =>
  JSON.stringify(plain(state)) === JSON.stringify(stored);

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

/** In one order, and only what both sides know. */
function plain({ organizations, recordings }: State): object {
  const one = (home: ModelOrganization): object => ({
    id: home.id,
    alive: home.alive,
    downloads: home.downloads,
    members: home.alive
      ? home.members
          .map(({ who, role, viewAll, viewFolder, downloads }) => ({
            who,
            role,
            viewAll,
            viewFolder,
            downloads,
          }))
          .sort(byText)
      : [],
    folders: home.alive
      ? home.folders
          .map(({ id: folder, active, named }) => ({ id: folder, active, named: named && [...named].sort() }))
          .sort(byText)
      : [],
    invitations: home.alive
      ? home.invitations
          .map(({ id: invitation, who, role, by }) => ({ id: invitation, who, role, by }))
          .sort(byText)
      : [],
    transfer: home.alive && home.transfer ? { from: home.transfer.from, to: home.transfer.to } : null,
  });
  return {
    organizations: organizations.map(one).sort(byText),
    recordings: recordings
      .map(({ id: recordingId, owner, home, folder }) => ({ id: recordingId, owner, home, folder }))
      .sort(byText),
  };
}

/** Roles per user in two organizations, of which the first user is always an OWNER, and where the recordings are. */
const world = record({
  roles: tuple(
    array(option(constantFrom(...ROLES), { freq: 4 }), { minLength: 4, maxLength: 4 }),
    array(option(constantFrom(...ROLES), { freq: 2 }), { minLength: 4, maxLength: 4 }),
  ),
  recordings: array(record({ owner: nat(NAMES.length - 1), home: constantFrom(null, 0, 0, 1) }), {
    minLength: RECORDINGS,
    maxLength: RECORDINGS,
  }),
});
type World = typeof world extends Arbitrary<infer T> ? T : never;

/** Writes it like an import of a workspace does. */
async function founded(services: Services, { roles, recordings }: World): Promise<State> {
  const organizations = roles.map((others) => {
    const members = ['OWNER' as const, ...others].flatMap((role, who) => (role ? [{ who, role }] : []));
    const made = organization(id(), {
      members: members.map(({ who, role }) => member(NAMES[who]!, role)),
    });
    return { made, members };
  });
  const rows = recordings.map(({ owner, home }) => {
    const at = home === null ? undefined : organizations[home];
    const by = at && !at.members.some(({ who }) => who === owner) ? 0 : owner;
    return {
      made: recording(NAMES[by]!, { organization: at?.made.name }),
      owner: by,
      home: at?.made.id ?? null,
    };
  });
  await services.first.import({
    organizations: organizations.map(({ made }) => made),
    recordings: rows.map(({ made }) => made),
  });
  return {
    organizations: organizations.map(({ made, members }) => ({
      id: made.id,
      alive: true,
      downloads: true,
      members: members.map((one) => ({ ...one, viewAll: false, viewFolder: true, downloads: true })),
      folders: [],
      invitations: [],
      transfer: null,
    })),
    recordings: rows.map(({ made, owner, home }) => ({ id: made.id, owner, home, folder: null })),
  };
}

const round = record({
  actions: array(action, { minLength: 1, maxLength: AT_ONCE }),
  observer: nat(NAMES.length - 1),
}).map(({ actions, observer }) => new Round(actions, observer));

/** Runs random sequences; `FC_SEED=... FC_PATH=...` reproduce a printed failure. */
export async function runSequences(services: Services, runs: number): Promise<void> {
  const sequence = commands([round], { maxCommands: 24, size: 'max' });
  const property = asyncProperty(world, sequence, async (initial, rounds) => {
    const state = await founded(services, initial);
    await asyncModelRun(() => ({ model: { state }, real: services }), rounds);
  });
  await assert(property, {
    numRuns: runs,
    endOnFailure: process.env['FC_SHRINK'] === undefined,
    ...(process.env['FC_SEED'] && { seed: Number(process.env['FC_SEED']) }),
    ...(process.env['FC_PATH'] && { path: process.env['FC_PATH'] }),
  });
}
