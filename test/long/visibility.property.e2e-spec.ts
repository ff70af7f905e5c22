import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  propertyOptions,
  type Arbitrary,
} from '../support/properties.js';
import { id, keyOf } from '../factories/workspace.js';
import { startService, type TestService } from '../support/service.js';
import {
  accepts,
  NOW,
  randomWorld,
  reaches,
  SEARCHES,
  STATUSES,
  writeWorld,
} from '../security/random-world.js';
import type { ModelKey, ModelRecording, RandomWorld, WrittenWorld } from '../security/random-world.js';

/** More in `test/long/random-worlds.e2e-spec.ts`. */
const OPTIONS = propertyOptions(8, 8_000, 100);

/** Mostly absent: several filters at once leave few results to compare. */
function sometimes(...values: string[]): Arbitrary<string | undefined> {
  return oneof(
    { weight: 3, arbitrary: constant(undefined) },
    { weight: 1, arbitrary: constantFrom(...values) },
  );
}

const LISTED = ['canDownload', 'canShare', 'canViewTranscription', 'canGenerateSummary', 'canAskQuestions'];
const ALL_FALSE = Object.fromEntries(LISTED.map((name) => [name, false]));

/**
 * Who sees what (docs/decisions/0009-access.md), implemented independently of the code: what a user sees with a key.
 */
function sees(world: RandomWorld, key: ModelKey, recording: ModelRecording): boolean {
  return reaches(world, key, recording) && isSeen(world, key.who, recording);
}

function isSeen(world: RandomWorld, who: number, recording: ModelRecording): boolean {
  if (recording.organization === null) return recording.owner === who;
  const home = world.organizations[recording.organization];
  const member = home?.members[who];
  if (!home || !member) return false;
  if (member.role === 'OWNER' || member.role === 'ADMIN') return true;
  if (member.viewAll || recording.owner === who) return true;
  const folder = recording.folder === null ? undefined : home.folders[recording.folder];
  return member.viewFolder && folder?.active === true && (!folder.restricted || folder.named[who] === true);
}

interface Item {
  readonly id: string;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

describe('in any world', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    service.setNow(NOW);
  });
  afterAll(() => service.stop());

  /** All pages of the list, by offset or by cursor; `total` must match the number of items. */
  async function listAll(name: string, limit: number, query = ''): Promise<Item[]> {
    const found: Item[] = [];
    const byCursor = limit % 2 === 0;
    for (let after = ''; ;) {
      const path = `/recordings?limit=${limit}${query}${byCursor ? after : `&offset=${found.length}`}`;
      const { status, body } = await service.api.as(keyOf(name)).get(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      found.push(...body.data);
      after = `&cursor=${body.pagination.next_cursor}`;
      if (body.pagination.has_more && body.data.length > 0) continue;
      expect(body.pagination.total).toBe(found.length);
      return found;
    }
  }

  it('the list holds exactly what get does not hide, with the same capabilities', async () => {
    const property = asyncProperty(randomWorld, integer({ min: 1, max: 7 }), async (world, limit) => {
      const written = await writeWorld(service.dataSource, world);
      await Promise.all(written.keys.map((key) => compare(world, written, { key, limit })));
    });
    await assert(property, OPTIONS);
  });

  async function compare(
    world: RandomWorld,
    { recordings }: WrittenWorld,
    { key, limit }: { key: ModelKey; limit: number },
  ): Promise<void> {
    const { name } = key;
    const listed = await listAll(name, limit);
    const details = await Promise.all(
      recordings.map(async (recording) => {
        const { status, body } = await service.api.as(keyOf(name)).get(`/recordings/${recording.id}`);
        return { recording, status, capabilities: status === 200 ? pick(body.data.capabilities) : ALL_FALSE };
      }),
    );
    const open = details.filter(({ status }) => status !== 404);
    expect(open.map(({ status }) => status).filter((status) => status !== 200 && status !== 402)).toEqual([]);
    expect(sorted(listed)).toEqual(sorted(open.map(({ recording }) => recording)));
    expect(sorted(listed)).toEqual(sorted(recordings.filter((recording) => sees(world, key, recording))));
    const inList = new Map(listed.map((item) => [item.id, item.capabilities]));
    for (const { recording, capabilities } of open) {
      expect([recording.id, inList.get(recording.id)]).toEqual([recording.id, capabilities]);
    }
  }

  const filters = record({
    limit: integer({ min: 1, max: 100 }),
    search: sometimes(...SEARCHES),
    status: sometimes(...STATUSES, 'COMPLETED,ERROR', 'ERROR,PROCESSING,MIGRATING', STATUSES.join(',')),
    since: sometimes('2026-05-16', '2026-05-16T12:00:00.001Z', '2026-06-15T12:00:00Z', '2026-06-16'),
    from: sometimes('2026-05-16', '2026-05-16T12:00:00.000Z', '2026-05-16T12:00:00.001Z', '2026-06-15'),
    to: sometimes('2026-06-15', '2026-06-15T12:00:00Z', '2026-06-15T11:59:59.999Z', '2026-06-14'),
    scope: constantFrom('everything', 'organizations', 'folders'),
  }).filter(({ from, to }) => !from || !to || from <= endOf(to));
  type Filters = typeof filters extends { generate: (...given: never[]) => { value: infer T } } ? T : never;

  it('every filter, alone and combined, returns exactly the matching recordings', async () => {
    const property = asyncProperty(randomWorld, filters, async (world, chosen) => {
      const written = await writeWorld(service.dataSource, world);
      await Promise.all(written.keys.map((key) => filtered(world, written, { key, chosen })));
    });
    await assert(property, OPTIONS);
  });

  async function filtered(
    world: RandomWorld,
    written: WrittenWorld,
    { key, chosen }: { key: ModelKey; chosen: Filters },
  ): Promise<void> {
    const { name, who } = key;
    const seen = written.recordings.filter(
      (recording) => sees(world, key, recording) && passes(recording, chosen),
    );
    const query = queryOf(chosen);
    const { organizations } = key;
    for (const scope of scopes(world, written, { who, kind: chosen.scope })) {
      if (scope.organization !== null && organizations?.includes(scope.organization) === false) continue;
      if (scope.organization !== null && !accepts(world, scope.organization, key)) {
        const reply = await service.api.as(keyOf(name)).get(`/recordings?limit=1${scope.query}`);
        expect([reply.status, reply.body.error.code]).toEqual([403, 'FORBIDDEN']);
        continue;
      }
      const listed = await listAll(name, chosen.limit, query + scope.query);
      expect([scope.query, sorted(listed)]).toEqual([scope.query, sorted(seen.filter(scope.holds))]);
    }
  }

  function passes(recording: ModelRecording, { search, status, since, from, to }: Filters): boolean {
    const created = recording.createdAt.getTime();
    return (
      (search === undefined || recording.title.toLowerCase().includes(search.toLowerCase())) &&
      (status === undefined || status.split(',').includes(recording.status)) &&
      (since === undefined || recording.updatedAt.getTime() >= Date.parse(since)) &&
      (from === undefined || created >= Date.parse(from)) &&
      (to === undefined || created <= Date.parse(endOf(to)))
    );
  }
});

/** A plain date includes that whole day (UTC). */
const endOf = (to: string): string => (to.length === 10 ? `${to}T23:59:59.999Z` : to);

interface Scope {
  /** Number of the organization; null: all. */
  readonly organization: number | null;
  readonly query: string;
  readonly holds: (recording: ModelRecording) => boolean;
}

/** None, each organization the user is a member of, or each of its folders and one that does not exist. */
function scopes(
  world: RandomWorld,
  { organizationIds, folderIds }: WrittenWorld,
  { who, kind }: { who: number; kind: string },
): Scope[] {
  if (kind === 'everything') return [{ organization: null, query: '', holds: () => true }];
  return world.organizations.flatMap((home, number): Scope[] => {
    if (!home.members[who]) return [];
    const query = `&organization_id=${organizationIds[number]}`;
    if (kind === 'organizations')
      return [{ organization: number, query, holds: ({ organization }) => organization === number }];
    const folders = home.folders.map((folder, index): Scope => ({
      organization: number,
      query: `${query}&folder_id=${folderIds[number]?.[index]}`,
      holds: (recording) => folder.active && recording.organization === number && recording.folder === index,
    }));
    return [...folders, { organization: number, query: `${query}&folder_id=${id()}`, holds: () => false }];
  });
}

function queryOf(chosen: {
  search?: string;
  status?: string;
  since?: string;
  from?: string;
  to?: string;
}): string {
  const { search, status, since, from, to } = chosen;
  const named = Object.entries({ search, status, updated_since: since, date_from: from, date_to: to });
  return named
    .map(([name, value]) => (value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`))
    .join('');
}

function pick(capabilities: Readonly<Record<string, boolean>>): Record<string, boolean | undefined> {
  return Object.fromEntries(LISTED.map((name) => [name, capabilities[name]]));
}

const sorted = (items: readonly { readonly id: string }[]): string[] => items.map((item) => item.id).sort();
