import type { EntityManager } from 'typeorm';
import { asJson, readTimes, type JsonRow } from '../../../platform/database/json-row.js';
import { sql, tableOf } from '../../../platform/database/sql.js';
import { runPrepared } from '../../../platform/database/prepared-query.js';
import type { AccessFacts } from '../../../policy/recording-access.js';
import { column, selectList, timesOf, type ExtraColumns, type RowOf } from './public/columns.js';
import { selectRecording } from './recording-access.hot.sql.js';
import {
  FACTS,
  factTables,
  wherePlaced,
  readRecording,
  toFacts,
  type FoundRecording,
  type ROW,
} from './recording-row.sql.js';
import type { Role } from '../../../policy/roles.js';
import type { OrganizationTerms } from '../../quotas/public/quota-terms.js';

const NO_COLUMNS = { columns: '' };

/** Facts, and the folder, which may be an inactive one. */
export type PlacedFacts = AccessFacts & { readonly folderId: string | null };

const PLACED = { id: column<string>('r.id'), inFolderId: column<string | null>('r.folder_id'), ...FACTS };

type PlacedRow = RowOf<typeof PLACED>;

const PLACED_TIMES = timesOf(PLACED);

interface FoundRow {
  readonly recording: JsonRow<RowOf<typeof ROW>>;
}

/**
 * Finds a recording for a viewer, or for its owner (null), as seen by the transaction of `manager`; null if absent. With
 * `inBin`, also one in the bin, where it was.
 */
export async function findRecordingWithin(
  manager: EntityManager,
  recordingId: string,
  viewerId: string | null,
  inBin = false,
): Promise<FoundRecording<object> | null> {
  const viewer = viewerId === null ? sql`r.owner_id` : sql`${viewerId}::uuid`;
  const id = sql`${recordingId}::uuid`;
  // Planned on every call, it would take five times as long.
  const [found] = await runPrepared<FoundRow>(
    manager,
    ['recording-within', viewerId === null && 'owner', inBin && 'bin'].filter(Boolean).join('-'),
    selectRecording(NO_COLUMNS, id, viewer, inBin ? wherePlaced(sql`stored.id = ${id}`) : undefined),
  );
  return found ? readRecording(found) : null;
}

/**
 * Finds the facts about recordings, and further columns, as seen by the transaction; without absent ones. With `inBin`, those
 * of them in the bin, where they were.
 */
export async function findRecordingFacts<Columns>(
  manager: EntityManager,
  recordingIds: readonly string[],
  viewerId: string,
  { columns }: Pick<ExtraColumns<Columns>, 'columns'>,
  inBin = false,
): Promise<Map<string, { readonly facts: PlacedFacts; readonly columns: Columns }>> {
  const ids = sql`${recordingIds}::uuid[]`;
  const recordings = inBin
    ? wherePlaced(sql`stored.id = ANY (${ids}) AND stored.deleted_at IS NOT NULL`)
    : sql`recordings r`;
  const found = await sql(manager)<
    { facts: JsonRow<PlacedRow> } & Columns
  >`SELECT ${() => asJson(selectList(PLACED))} AS facts${() => columns}
        FROM ${recordings} ${factTables(sql`${viewerId}::uuid`)}
        WHERE r.id = ANY (${ids})`;
  return new Map(
    found.map(({ facts, ...others }) => {
      const row = readTimes<PlacedRow>(facts, PLACED_TIMES);
      const placed = { ...toFacts(row), folderId: row.inFolderId };
      return [row.id, { facts: placed, columns: others as unknown as Columns }];
    }),
  );
}

/** Notes when recordings were viewed, for each at most once a day; locks them in the order of all other transactions. */
export async function writeViews(manager: EntityManager, views: ReadonlyMap<string, Date>): Promise<void> {
  const viewed = tableOf(
    [
      ['id', 'uuid', [...views.keys()]],
      ['at', 'timestamptz', [...views.values()]],
    ],
    'viewed',
  );
  await sql(manager)`
    WITH due AS (
      SELECT r.id, viewed.at FROM ${viewed} JOIN recordings r ON r.id = viewed.id
      WHERE r.viewed_at IS NULL OR r.viewed_at <= viewed.at - interval '24 hours' ORDER BY r.id FOR NO KEY UPDATE OF r)
    UPDATE recordings r SET viewed_at = due.at FROM due WHERE r.id = due.id`;
}

export interface DestinationRow extends OrganizationTerms {
  readonly role: Role | null;
  /** Null when there is no such active folder. */
  readonly folder_open: boolean | null;
}

/** Makes changes of this membership wait until the transaction has ended. */
export async function holdMembership(
  manager: EntityManager,
  organizationId: string,
  userId: string,
): Promise<void> {
  await sql(manager)`
    SELECT FROM organization_members WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR SHARE`;
}

/** Keeps the folder from being deleted until the transaction has ended. */
export async function holdFolder(
  manager: EntityManager,
  folderId: string,
  organizationId: string,
): Promise<void> {
  await sql(manager)`
    SELECT FROM folders WHERE id = ${folderId} AND organization_id = ${organizationId} FOR KEY SHARE`;
}

/** Finds what the user may do in the organization and the folder; undefined if there is no such organization. */
export async function findDestination(
  manager: EntityManager,
  userId: string,
  organizationId: string,
  folderId: string | null,
): Promise<DestinationRow | undefined> {
  const [found] = await sql(manager)<DestinationRow>`
    SELECT m.role, o.plan, o.subscription_status, o.subscription_ends_at,
           (SELECT NOT f.restricted OR EXISTS (
              SELECT FROM folder_members fm WHERE fm.folder_id = f.id AND fm.user_id = ${userId}::uuid)
            FROM folders f WHERE f.id = ${folderId}::uuid AND f.organization_id = o.id AND f.active) AS folder_open
    FROM organizations o LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId}::uuid
    WHERE o.id = ${organizationId}::uuid AND o.deleted_at IS NULL`;
  return found;
}
