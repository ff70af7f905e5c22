import {
  array,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  type Arbitrary,
} from '../support/properties.js';
import type { DataSource } from 'typeorm';
import {
  insertRows,
  KEYS_CREATED_AT,
  narrowKeyRows,
  recordingRow,
  serviceAccountRows,
  userRows,
} from '../factories/worlds.js';
import { id } from '../factories/workspace.js';

/**
 * Random worlds. Users, organizations, folders and recordings refer to one another by number, modulo how many
 * there are, so that every world is possible and a failing one shrinks to the few parts that matter.
 */

export const NOW = new Date('2026-06-15T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds; around the 30 days of FREE, and around midnight. */
const AGES = [0, 1, DAY / 2, DAY / 2 + 1, 30 * DAY - 1, 30 * DAY, 30 * DAY + 1, 31 * DAY, 400 * DAY];
const TITLES = ['Weekly sync', 'weekly 50%', 'a_b', 'a\\b', 'axb', 'ÉTÉ', '%', 'Sync'];
export const SEARCHES = ['SYNC', 'week', '%', '_', '\\', 'a_b', 'été', 'xx', 'y s'];
export const STATUSES = ['COMPLETED', 'MIGRATING', 'PROCESSING', 'ERROR'] as const;

/** Mostly on. */
const usually: Arbitrary<boolean> = constantFrom(true, true, true, false);
const flags = record({
  feature_downloads: usually,
  feature_sharing: usually,
  feature_transcription: usually,
  feature_summaries: usually,
  feature_questions: usually,
});
const place = integer({ min: 0, max: 11 });

/** Days after its creation in which a key of the world expires; null: never. */
const life: Arbitrary<number | null> = constantFrom(null, 3_000, 3_650);

const organization = record({
  plan: constantFrom('FREE', 'PRO', 'ENTERPRISE'),
  subscription: constantFrom('active', 'active', 'trialing', 'past_due', 'canceled', 'expired'),
  endsIn: constantFrom(null, null, 1000, -1000),
  flags,
  /** The longest life of the keys that it accepts, in days; mostly any. */
  apiKeyMaxDays: constantFrom(null, null, null, null, 2_999, 3_000),
  /** By number of the user; null: not a member. */
  members: array(
    option(
      record({
        role: constantFrom('OWNER', 'ADMIN', 'EDITOR', 'EDITOR', 'VIEWER', 'VIEWER'),
        flags,
        viewAll: constantFrom(true, false, false),
        viewFolder: usually,
      }),
      { freq: 4 },
    ),
    { minLength: 3, maxLength: 3 },
  ),
  folders: array(
    record({
      active: usually,
      restricted: boolean(),
      named: array(boolean(), { minLength: 3, maxLength: 3 }),
      namesService: boolean(),
    }),
    { maxLength: 3 },
  ),
  service: option(
    record({
      role: constantFrom('ADMIN', 'EDITOR', 'VIEWER'),
      flags,
      viewAll: boolean(),
      viewFolder: usually,
    }),
  ),
});

const randomParts = record({
  plans: array(constantFrom('FREE', 'PRO'), { minLength: 3, maxLength: 3 }),
  /** Of the keys of the users that are not limited. */
  lives: array(life, { minLength: 3, maxLength: 3 }),
  organizations: array(organization, { maxLength: 3 }),
  recordings: array(
    record({
      /** Number of the user; null: that user was deleted. */
      owner: option(place, { freq: 9 }),
      organization: option(place, { freq: 3 }),
      folder: option(place, { freq: 3 }),
      age: constantFrom(...AGES),
      /** Milliseconds since its last change; at most its age. */
      unchanged: constantFrom(...AGES),
      status: constantFrom(...STATUSES),
      title: constantFrom(...TITLES),
      transcript: option(constantFrom('not_started', 'processing', 'completed', 'completed', 'failed')),
    }),
    { maxLength: 14 },
  ),
  /** Further keys, limited to organizations and perhaps to folders: numbers of these, of which some may not exist. */
  narrowKeys: array(
    record({
      owner: integer({ min: 0, max: 2 }),
      organizations: array(place, { minLength: 1, maxLength: 2 }),
      folders: option(array(place, { minLength: 1, maxLength: 2 })),
      life,
    }),
    { maxLength: 2 },
  ),
});

/** With the service accounts as users after the people, each a member of its own organization only. */
export const randomWorld = randomParts.map(({ organizations, plans, ...parts }) => {
  const homes = organizations.flatMap(({ service }, home) => (service ? [home] : []));
  return {
    ...parts,
    plans,
    /** Numbers of the organizations of the service accounts. */
    homes,
    organizations: organizations.map(({ service, ...home }, index) => ({
      ...home,
      members: [...home.members, ...homes.map((one) => (one === index ? service : null))],
      folders: home.folders.map(({ namesService, ...one }) => ({
        ...one,
        named: [...one.named, ...homes.map((at) => at === index && namesService)],
      })),
    })),
  };
});
export type RandomWorld = typeof randomWorld extends Arbitrary<infer T> ? T : never;

/** A recording in the model of the test. */
export interface ModelRecording {
  readonly id: string;
  readonly owner: number | null;
  readonly organization: number | null;
  readonly folder: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly status: string;
  readonly title: string;
}

/** A key by the name that `keyOf` takes, and what it is limited to; null: not limited. */
export interface ModelKey {
  readonly name: string;
  /** Number of its user. */
  readonly who: number;
  readonly organizations: readonly number[] | null;
  readonly folders: readonly number[] | null;
  /** In days; null: it never expires. */
  readonly life: number | null;
}

/** Whether an organization accepts a key, by how long it works. */
export function accepts(world: RandomWorld, home: number, { life: days }: ModelKey): boolean {
  const { apiKeyMaxDays: limit = null } = world.organizations[home] ?? {};
  return limit === null || (days !== null && days <= limit);
}

/** Whether a key reaches a recording, if its user sees it. */
export function reaches(world: RandomWorld, key: ModelKey, recording: ModelRecording): boolean {
  const { organization: home, folder } = recording;
  if (home !== null && !accepts(world, home, key)) return false;
  if (key.organizations === null) return true;
  if (home === null || !key.organizations.includes(home)) return false;
  if (key.folders === null) return true;
  const isActive = folder !== null && world.organizations[home]?.folders[folder]?.active === true;
  return isActive && key.folders.includes(folder);
}

export interface WrittenWorld {
  readonly names: readonly string[];
  /** Of every user one that is not limited, of a service account to its organization, and the narrow ones. */
  readonly keys: readonly ModelKey[];
  readonly organizationIds: readonly string[];
  readonly folderIds: readonly (readonly string[])[];
  readonly recordings: readonly ModelRecording[];
}

let worlds = 0;

/** Writes a world beside the existing ones; one statement per table. */
export async function writeWorld(database: DataSource, world: RandomWorld): Promise<WrittenWorld> {
  const number = (worlds += 1);
  const organizationIds = world.organizations.map(() => id());
  const people = world.plans.map((plan, index) => userRows(`W${number}U${index}`, plan));
  const services = world.homes.map((home) =>
    serviceAccountRows(`W${number}S${home}`, organizationIds[home] ?? ''),
  );
  const users = [...people, ...services].map(({ user }) => user);
  const folderIds = world.organizations.map(({ folders }) => folders.map(() => id()));
  const recordings = world.recordings.map((input): ModelRecording => {
    const home = within(input.organization, world.organizations.length);
    const folders = home === null ? 0 : (world.organizations[home]?.folders.length ?? 0);
    const createdAt = new Date(NOW.getTime() - input.age);
    const updatedAt = new Date(NOW.getTime() - Math.min(input.age, input.unchanged));
    const owner = within(input.owner, users.length);
    return {
      ...input,
      id: id(),
      owner,
      organization: home,
      folder: within(input.folder, folders),
      createdAt,
      updatedAt,
    };
  });

  await writeOrganizations(database, world, organizationIds);
  for (const rows of [people, services]) {
    await insertRows(
      database,
      'users',
      rows.map(({ user }) => user),
    );
  }
  await insertRows(
    database,
    'api_keys',
    people.map(({ apiKey }, who) => ({ ...apiKey, expires_at: expiry(world.lives[who] ?? null) })),
  );
  await insertRows(
    database,
    'api_keys',
    services.map(({ apiKey }) => apiKey),
  );
  const narrow = narrowKeys(world, number, { users, organizationIds, folderIds });
  await writeMembers(database, world, {
    organizationIds,
    folderIds,
    userIds: users.map((user) => user.id),
  });
  await insertRows(
    database,
    'recordings',
    recordings.map((item) =>
      recordingRow({
        id: item.id,
        owner_id: item.owner === null ? null : users[item.owner]?.id,
        organization_id: item.organization === null ? null : organizationIds[item.organization],
        folder_id:
          item.organization === null || item.folder === null
            ? null
            : folderIds[item.organization]?.[item.folder],
        title: item.title,
        status: item.status,
        created_at: item.createdAt,
        updated_at: item.updatedAt,
      }),
    ),
  );
  const transcripts = world.recordings.flatMap(({ transcript: status }, index) =>
    status
      ? [{ recording_id: recordings[index]?.id, status, speakers: [], segments_count: 0, duration: 0 }]
      : [],
  );
  await insertRows(database, 'transcripts', transcripts);
  await insertRows(database, 'api_keys', narrowKeyRows(narrow.map(({ row }) => row)));
  const full = users.map(({ name }, who): ModelKey => {
    const home = world.homes[who - people.length];
    const organizations = home === undefined ? null : [home];
    // Those of service accounts never expire.
    return { name, who, organizations, folders: null, life: world.lives[who] ?? null };
  });
  const keys = [...full, ...narrow.map(({ key }) => key)];
  return { names: users.map(({ name }) => name), keys, organizationIds, folderIds, recordings };
}

/** Folders have the same numbers in every organization of a key. */
function narrowKeys(
  world: RandomWorld,
  number: number,
  {
    users,
    organizationIds,
    folderIds,
  }: {
    readonly users: readonly { readonly id: string }[];
    readonly organizationIds: readonly string[];
    readonly folderIds: readonly (readonly string[])[];
  },
) {
  return world.narrowKeys.flatMap((given, index) => {
    const organizations = given.organizations.flatMap((one) => within(one, organizationIds.length) ?? []);
    if (organizations.length === 0) return [];
    const sizes = organizations.map((home) => folderIds[home]?.length ?? 0);
    const folders = given.folders?.flatMap((one) => within(one, Math.max(...sizes)) ?? []) ?? [];
    const ids = organizations.flatMap((home) => folders.flatMap((folder) => folderIds[home]?.[folder] ?? []));
    const name = `W${number}K${index}`;
    const row = {
      name,
      userId: users[given.owner]?.id ?? '',
      organizationIds: organizations.map((home) => organizationIds[home] ?? ''),
      folderIds: ids.length === 0 ? null : ids,
      expiresAt: expiry(given.life),
    };
    const key: ModelKey = {
      name,
      who: given.owner,
      organizations,
      folders: ids.length === 0 ? null : folders,
      life: given.life,
    };
    return [{ row, key }];
  });
}

async function writeOrganizations(
  database: DataSource,
  world: RandomWorld,
  organizationIds: readonly string[],
): Promise<void> {
  const organizations = world.organizations.map((input, index) => ({
    id: organizationIds[index],
    name: `Organization ${index}`,
    plan: input.plan,
    subscription_status: input.subscription,
    subscription_ends_at: input.endsIn === null ? null : new Date(NOW.getTime() + input.endsIn),
    ...input.flags,
    api_key_max_days: input.apiKeyMaxDays,
  }));
  await insertRows(database, 'organizations', organizations);
}

async function writeMembers(
  database: DataSource,
  world: RandomWorld,
  ids: {
    readonly organizationIds: readonly string[];
    readonly folderIds: readonly (readonly string[])[];
    readonly userIds: readonly string[];
  },
): Promise<void> {
  const { organizationIds, folderIds, userIds } = ids;
  const members = world.organizations.flatMap((input, index) =>
    input.members.flatMap((member, person) =>
      member
        ? [
            {
              organization_id: organizationIds[index],
              user_id: userIds[person],
              role: member.role,
              ...member.flags,
              view_all_recordings: member.viewAll,
              view_folder_recordings: member.viewFolder,
            },
          ]
        : [],
    ),
  );
  const folders = world.organizations.flatMap((input, index) =>
    input.folders.map(({ active, restricted }, number) => ({
      id: folderIds[index]?.[number],
      organization_id: organizationIds[index],
      name: `Folder ${number}`,
      active,
      restricted,
    })),
  );
  const folderMembers = world.organizations.flatMap((input, index) =>
    input.folders.flatMap(({ named }, number) =>
      named.flatMap((isNamed, person) =>
        isNamed && input.members[person]
          ? [
              {
                folder_id: folderIds[index]?.[number],
                user_id: userIds[person],
                organization_id: organizationIds[index],
              },
            ]
          : [],
      ),
    ),
  );
  await insertRows(database, 'organization_members', members);
  await insertRows(database, 'folders', folders);
  await insertRows(database, 'folder_members', folderMembers);
}

/** When a key expires; keys of worlds are as old as `KEYS_CREATED_AT`. */
const expiry = (days: number | null): Date | null =>
  days === null ? null : new Date(Date.parse(KEYS_CREATED_AT) + days * DAY);

const within = (number: number | null, size: number): number | null =>
  number === null || size === 0 ? null : number % size;
