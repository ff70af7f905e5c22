import { expect } from '@jest/globals';
import type { Client } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { canDownload, canSee, isManager, memberOf, type ModelOrganization, type State } from './model.js';

interface Listed {
  readonly id: string;
  readonly role: string;
  readonly capabilities: { readonly canDownload: boolean };
}

/** What a user sees must be what the model gives them: lists and single resources alike. */
export async function observe({ api }: TestService, state: State, who: number): Promise<void> {
  const user = state.users[who]!;
  const client = api.as(user.key);
  if (!user.alive) {
    expect((await client.get('/me')).body.error.code).toBe('USER_NOT_FOUND');
    return;
  }
  await observeRecordings(client, state, who);
  await observeOrganizations(client, state, who);
}

async function observeRecordings(client: Client, state: State, who: number): Promise<void> {
  const ids = state.recordings.map(({ id }) => id);
  const [listed, ...details] = await Promise.all([
    client.get('/recordings?limit=100'),
    ...ids.map((id) => client.get(`/recordings/${id}`)),
  ]);
  const expected = state.recordings
    .filter((one) => canSee(state, who, one))
    .map((one) => `${one.id} ${canDownload(state, who, one)}`)
    .sort();
  const ofList: Listed[] = listed.body.data;
  const alone: Listed[] = details.filter(({ status }) => status === 200).map(({ body }) => body.data);
  for (const seen of [ofList.filter(({ id }) => ids.includes(id)), alone]) {
    expect(seen.map(({ id, capabilities }) => `${id} ${capabilities.canDownload}`).sort()).toEqual(expected);
  }
}

async function observeOrganizations(client: Client, state: State, who: number): Promise<void> {
  const homes = state.organizations;
  const [listed, ...alone] = await Promise.all([
    client.get('/organizations'),
    ...homes.map(({ id }) => client.get(`/organizations/${id}`)),
  ]);
  const given: Listed[] = listed.body.data;
  expect(given.map(({ id, role }) => `${id} ${role}`).sort()).toEqual(
    homes.flatMap((home) => memberOf(home, who)?.role.replace(/^/, `${home.id} `) ?? []).sort(),
  );
  expect(alone.map(({ status }) => status)).toEqual(homes.map((home) => statusOf(home, state, who)));
  for (const home of homes) await observeOrganization(client, state, home, who);
}

function statusOf(home: ModelOrganization, { users }: State, who: number): number {
  if (!home.alive) return 404;
  return memberOf(home, who) || users[who]!.operator ? 200 : 403;
}

/** Its members, folders and invitations, as far as the user may know them. */
async function observeOrganization(
  client: Client,
  { users }: State,
  home: ModelOrganization,
  who: number,
): Promise<void> {
  const idOf = (at: number): string => users[at]!.id;
  const [members, folders, invitations] = await Promise.all([
    client.get(`/organizations/${home.id}/members`),
    client.get(`/organizations/${home.id}/folders`),
    client.get(`/organizations/${home.id}/invitations?limit=100`),
  ]);
  const member = memberOf(home, who);
  if (!home.alive || !member) {
    const status = home.alive ? 403 : 404;
    expect([members.status, folders.status, invitations.status]).toEqual([status, status, status]);
    return;
  }
  const rows: Listed[] = members.body.data;
  expect(rows.map(({ id, role }) => `${id} ${role}`).sort()).toEqual(
    home.members.map((one) => `${idOf(one.who)} ${one.role}`).sort(),
  );
  const shelves: Listed[] = folders.body.data;
  expect(shelves.map(({ id }) => id).sort()).toEqual(
    home.folders
      .filter(({ active }) => active)
      .map(({ id }) => id)
      .sort(),
  );
  const invited: Listed[] = invitations.body.data ?? [];
  expect([invitations.status, invited.map(({ id }) => id).sort()]).toEqual(
    isManager(member) ? [200, home.invitations.map(({ id }) => id).sort()] : [403, []],
  );
}
