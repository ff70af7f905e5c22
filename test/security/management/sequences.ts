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
import { id, organization, recording, user } from '../../factories/workspace.js';
import type { Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { action } from './actions.js';
import { memberOf, ROLES, type State } from './model.js';
import { observe } from './observation.js';
import { some, userAt, type Action, type Prepared } from './prepared.js';
import { RECORDINGS } from './recording-actions.js';
import { expectedRows, storedRows } from './stored.js';

/** No more per round: every order in which they may have happened is tried. */
const AT_ONCE = 3;
const NAMES = ['Mia', 'Noa', 'Oda', 'Pia', 'Rex'];

/** How often requests of a kind were carried out, and how often refused. */
export interface Tally {
  done: number;
  refused: number;
}

/** Two processes on one database, of which one runs jobs as well. */
export interface Services {
  /** By method and path. */
  readonly tallies: Map<string, Tally>;
  readonly first: TestService;
  readonly second: TestService;
  stop(): Promise<void>;
}

export async function startServices(): Promise<Services> {
  const settings = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' };
  const first = await startService(settings, { generated: true, worker: true });
  const second = await startService(settings, { generated: true, beside: first });
  return {
    tallies: new Map(),
    first,
    second,
    stop: async () => {
      await second.stop();
      await first.stop();
    },
  };
}

/** What is true now; replaced after each round. */
interface Model {
  state: State;
  /** All users of the sequence have addresses like this. */
  readonly emails: string;
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
    const { first, second, tallies } = services;
    const requests = this.actions.flatMap((prepare) => prepare(model.state) ?? []);
    const replies = await Promise.all(
      requests.map((request, at) => send(at % 2 === 0 ? first : second, model.state, request)),
    );
    const stored = await storedRows(first.dataSource, model.state, model.emails);
    const explained = orders(requests.map((_, at) => at))
      .map((order) => played(model.state, requests, replies, order))
      .find((state) => state !== null && expectedRows(state) === stored);
    if (!explained) {
      const lines = requests.map(({ text }, at) => `${text} -> ${outcomeOf(replies[at]!)}`);
      const alone = played(model.state, requests, replies, [...requests.keys()]);
      throw new Error(
        `No order explains:\n${lines.join('\n')}\nbefore: ${expectedRows(model.state)}\nstored: ${stored}\nin the order sent: ${alone && expectedRows(alone)}`,
      );
    }
    model.state = explained;
    requests.forEach((request, at) => count(tallies, request, replies[at]!));
    for (const { members, alive } of explained.organizations) {
      expect(members.some(({ role }) => role === 'OWNER')).toBe(alive);
    }
    expectOwners(explained);
    await observe(this.observer % 2 === 0 ? first : second, explained, userAt(explained, this.observer));
  }

  toString(): string {
    return `${this.actions.length} at once`;
  }
}

/** Every recording that nobody has deleted belongs to somebody who sees it. */
function expectOwners({ users, organizations, recordings }: State): void {
  for (const { owner, home, deleted } of recordings) {
    if (deleted) continue;
    const place = organizations.find(({ id: one }) => one === home);
    expect(home === null ? users[owner]!.alive : memberOf(place, owner) !== undefined).toBe(true);
  }
}

function send({ api }: TestService, { users }: State, request: Prepared): Promise<Reply> {
  const { by, method, path, body } = request;
  const client = by === null ? api : api.as(users[by]!.key);
  return client.request(method, path, { body });
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
    return rightOutcomes(state, requests[at]!, reply).includes(outcomeOf(reply));
  });
  return isRight ? state : null;
}

/** A deleted user is refused: without further reason, or as anybody without rights if the request had begun before. */
function rightOutcomes(state: State, request: Prepared, reply: Reply): readonly string[] {
  const { by } = request;
  if (by === null || state.users[by]!.alive) return request.apply(state, reply);
  const refusals = request.apply(structuredClone(state), reply).filter((outcome) => !outcome.startsWith('2'));
  return ['401 USER_NOT_FOUND', ...refusals];
}

function outcomeOf({ status, body }: Reply): string {
  if (body.error) return `${status} ${body.error.code}`;
  const results: { success: boolean }[] | undefined = body.data?.results;
  return results
    ? `${status} ${results.map(({ success }) => (success ? 'done' : 'refused'))}`
    : String(status);
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

/** New users, of whom the last is an operator, with two organizations; written like an import of a workspace does. */
async function founded({ first }: Services, { roles, recordings }: World): Promise<Model> {
  const sequence = id().replaceAll('-', '');
  const users = NAMES.map((name, who) => {
    const [email, key] = [`${name.toLowerCase()}-${sequence}@acme.test`, `mrs_${who}${sequence}`];
    return { made: user(name, { email, apiKeys: [{ name: 'test', key }] }), email, key };
  });
  const emailAt = (who: number): string => users[who]!.email;
  const organizations = roles.map((others) => {
    const members = ['OWNER' as const, ...others].flatMap((role, who) => (role ? [{ who, role }] : []));
    const made = organization(id(), {
      members: members.map(({ who, role }) => ({ email: emailAt(who), role })),
    });
    return { made, members };
  });
  const rows = recordings.map(({ owner, home }) => {
    const at = home === null ? undefined : organizations[home];
    const by = at && !at.members.some(({ who }) => who === owner) ? 0 : owner;
    const made = recording(NAMES[by]!, { owner: emailAt(by), organization: at?.made.name });
    return { made, owner: by, home: at?.made.id ?? null };
  });
  await first.import({
    users: users.map(({ made }) => made),
    organizations: organizations.map(({ made }) => made),
    recordings: rows.map(({ made }) => made),
  });
  const operator = NAMES.length - 1;
  await first.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [users[operator]!.made.id]);
  const state: State = {
    users: users.map(({ made, email, key }, who) => ({
      id: made.id,
      email,
      key,
      operator: who === operator,
      verified: true,
      alive: true,
    })),
    organizations: organizations.map(({ made, members }) => ({
      id: made.id,
      alive: true,
      plan: 'ENTERPRISE',
      downloads: true,
      membersMayTake: false,
      members: members.map((one) => ({ ...one, viewAll: false, viewFolder: true, downloads: true })),
      folders: [],
      invitations: [],
      transfer: null,
    })),
    recordings: rows.map(({ made, owner, home }) => ({
      id: made.id,
      owner,
      home,
      folder: null,
      deleted: false,
    })),
  };
  return { state, emails: `%-${sequence}@acme.test` };
}

const round = record({
  actions: array(action, { minLength: 1, maxLength: AT_ONCE }),
  observer: some,
}).map(({ actions, observer }) => new Round(actions, observer));

/** Runs random sequences; `FC_SEED=... FC_PATH=...` reproduce a printed failure. */
export async function runSequences(services: Services, runs: number): Promise<void> {
  const sequence = commands([round], { maxCommands: 24, size: 'max' });
  const property = asyncProperty(world, sequence, async (initial, rounds) => {
    const model = await founded(services, initial);
    await asyncModelRun(() => ({ model, real: services }), rounds);
  });
  await assert(property, {
    numRuns: runs,
    endOnFailure: process.env['FC_SHRINK'] === undefined,
    ...(process.env['FC_SEED'] && { seed: Number(process.env['FC_SEED']) }),
    ...(process.env['FC_PATH'] && { path: process.env['FC_PATH'] }),
  });
}
