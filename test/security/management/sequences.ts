import { expect } from '@jest/globals';
import { assert, asyncProperty, gen, propertyOptions } from '../../support/properties.js';
import { id, organization, recording, user } from '../../factories/workspace.js';
import type { Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { join, memberOf, newOrganization, ROLES, type State } from './model.js';
import { observe } from './observation.js';
import { Choices, type Planned } from './plan.js';
import { anyRequest } from './requests.js';
import { expectedFacts, storedFacts } from './stored.js';

/** No more per round: every order in which they may have happened is tried. */
const AT_ONCE = 3;
const MAX_ROUNDS = 24;
const RECORDINGS = 8;
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

/**
 * Runs random sequences; `FC_SEED=... FC_PATH=...` reproduce a printed failure, `FC_RUNS` sets how many. What is stored
 * is compared after every round, and what users see, which takes three times as long as all the rest, after one in
 * `lookEvery`.
 */
export async function runSequences(services: Services, runs: number, lookEvery = 1): Promise<void> {
  const property = asyncProperty(gen(), async (numbers) => {
    const choose = new Choices(numbers);
    const { state: initial, emails } = await founded(services, choose);
    let state = initial;
    for (let left = choose.below(MAX_ROUNDS + 1); left > 0; left -= 1) {
      state = await playRound(services, { state, emails }, choose);
      if (choose.oneIn(lookEvery))
        await observe(choose.one([services.first, services.second]), state, choose.user(state));
    }
  });
  await assert(property, propertyOptions(runs, 60_000, 10_000));
}

/** What is true now. */
interface Model {
  readonly state: State;
  /** All users of the sequence have addresses like this. */
  readonly emails: string;
}

/**
 * Several requests at once, by different clients. There must be an order of them that explains every reply and what is
 * left.
 */
async function playRound(services: Services, { state, emails }: Model, choose: Choices): Promise<State> {
  const { first, second, tallies } = services;
  const requests = Array.from({ length: 1 + choose.below(AT_ONCE) }, () => anyRequest(state, choose)).filter(
    (request) => request !== null,
  );
  const replies = await Promise.all(
    requests.map((request, at) => send(at % 2 === 0 ? first : second, state, request)),
  );
  const stored = await storedFacts(first.dataSource, state, emails);
  const explained = orders([...requests.keys()])
    .map((order) => played(state, requests, replies, order))
    .find((after) => after !== null && expectedFacts(after) === stored);
  if (!explained) {
    const lines = requests.map(
      ({ by, method, path, body }, at) =>
        `User ${by}: ${method} ${path} ${JSON.stringify(body)} -> ${outcomeOf(replies[at]!)}`,
    );
    throw new Error(
      `No order explains:\n${lines.join('\n')}\nbefore:\n${expectedFacts(state)}\nstored:\n${stored}`,
    );
  }
  requests.forEach((request, at) => count(tallies, request, replies[at]!));
  for (const { members, alive } of explained.organizations) {
    expect(members.some(({ role }) => role === 'OWNER')).toBe(alive);
  }
  expectOwners(explained);
  return explained;
}

/** Every recording that nobody has deleted belongs to somebody who sees it. */
function expectOwners({ users, organizations, recordings }: State): void {
  for (const { owner, home, deleted } of recordings) {
    if (deleted) continue;
    const place = organizations.find(({ id: one }) => one === home);
    expect(home === null ? users[owner]!.alive : memberOf(place, owner) !== undefined).toBe(true);
  }
}

function send({ api }: TestService, { users }: State, request: Planned): Promise<Reply> {
  const { by, method, path, body } = request;
  const client = by === null ? api : api.as(users[by]!.key);
  return client.request(method, path, { body });
}

function count(tallies: Services['tallies'], { method, path }: Planned, { status }: Reply): void {
  const kind = `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/(?<=confirm=)[^&]+/, ':email')}`;
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
  requests: readonly Planned[],
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
function rightOutcomes(state: State, request: Planned, reply: Reply): readonly string[] {
  const { by } = request;
  if (by === null || state.users[by]!.alive) return [request.apply(state, reply)].flat();
  const outcomes = [request.apply(structuredClone(state), reply)].flat();
  return ['401 USER_NOT_FOUND', ...outcomes.filter((outcome) => !outcome.startsWith('2'))];
}

function outcomeOf({ status, body }: Reply): string {
  if (body.error) return `${status} ${body.error.code}`;
  const results: { success: boolean }[] | undefined = body.data?.results;
  return results
    ? `${status} ${results.map(({ success }) => (success ? 'done' : 'refused'))}`
    : String(status);
}

/**
 * New users, of whom the last is an operator, with two organizations, of which the first user is always an OWNER;
 * written like an import of a workspace does.
 */
async function founded({ first }: Services, choose: Choices): Promise<Model> {
  const sequence = id().replaceAll('-', '');
  const users = NAMES.map((name, who) => {
    const [email, key] = [`${name.toLowerCase()}-${sequence}@acme.test`, `mrs_${who}${sequence}`];
    return { made: user(name, { email, apiKeys: [{ name: 'test', key }] }), email, key };
  });
  const organizations = [4, 2].map((absence) => {
    const home = newOrganization(id(), 'ENTERPRISE');
    for (const who of NAMES.keys()) {
      if (who === 0 || !choose.oneIn(absence)) join(home, who, who === 0 ? 'OWNER' : choose.one(ROLES));
    }
    return home;
  });
  const recordings = Array.from({ length: RECORDINGS }, () => {
    const chosen = choose.below(NAMES.length);
    const home = choose.one([undefined, organizations[0], organizations[0], organizations[1]]);
    const owner = home && !memberOf(home, chosen) ? 0 : chosen;
    return { id: id(), owner, home: home?.id ?? null, folder: null, deleted: false };
  });
  await first.import({
    users: users.map(({ made }) => made),
    organizations: organizations.map(({ id: home, members }) =>
      organization(home, {
        id: home,
        members: members.map(({ who, role }) => ({ email: users[who]!.email, role })),
      }),
    ),
    recordings: recordings.map(({ id: one, owner, home }) =>
      recording(NAMES[owner]!, { id: one, owner: users[owner]!.email, organization: home ?? undefined }),
    ),
  });
  const operator = users.at(-1)!.made.id;
  await first.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [operator]);
  const state: State = {
    users: users.map(({ made, email, key }) => ({
      id: made.id,
      email,
      key,
      operator: made.id === operator,
      verified: true,
      alive: true,
    })),
    organizations,
    recordings,
  };
  return { state, emails: `%-${sequence}@acme.test` };
}
