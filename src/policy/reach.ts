import { DomainError } from '../contract/domain-error.js';

/** What an API key is limited to, of what its user can reach. */
export interface ReachLimits {
  /** Null: all, and what belongs to no organization. */
  readonly organizationIds: readonly string[] | null;
  /** Of recordings, only those in these folders; null: all. Only together with `organizationIds`. */
  readonly folderIds: readonly string[] | null;
}

/** How far an API key reaches, of what its user can. What it does not reach is absent for it. */
export interface Reach extends ReachLimits {
  /**
   * Organizations of the user that do not accept the key, because of how long it works. They decide this for
   * themselves and may change their minds, so it is not a limit of the key: it is read with every use.
   */
  readonly refusedBy: readonly string[];
}

/** That of a key that is not limited, and of whatever nobody's key asks for. */
export const EVERYTHING: Reach = { organizationIds: null, folderIds: null, refusedBy: [] };

/** Whether it is not limited to organizations, so that it reaches what belongs to none; some may still refuse it. */
export const reachesEverything = ({ organizationIds }: ReachLimits): boolean => organizationIds === null;

/** Whether it reaches all organizations of its user, and what belongs to none. */
export const reachesAll = (reach: Reach): boolean => reachesEverything(reach) && reach.refusedBy.length === 0;

/** Whether it is limited to organizations that all refuse it. */
export const reachesNothing = ({ organizationIds, refusedBy }: Reach): boolean =>
  organizationIds !== null && organizationIds.every((id) => refusedBy.includes(id));

/** `organizationId` null: what belongs to none. */
export const reachesOrganization = (reach: Reach, organizationId: string | null): boolean =>
  isWithinLimits(reach, organizationId) && !isRefusing(reach, organizationId);

function isWithinLimits({ organizationIds }: ReachLimits, organizationId: string | null): boolean {
  if (organizationIds === null) return true;
  return organizationId !== null && organizationIds.includes(organizationId.toLowerCase());
}

const isRefusing = ({ refusedBy }: Reach, organizationId: string | null): boolean =>
  organizationId !== null && refusedBy.includes(organizationId.toLowerCase());

/** Whether only its life keeps the key from reaching an organization, which its user then learns. */
export const isRefusedBy = (reach: Reach, organizationId: string): boolean =>
  isWithinLimits(reach, organizationId) && isRefusing(reach, organizationId);

/** Where a recording is. `folder` is null if it is in none, or in an inactive one. */
interface Place {
  readonly organizationId: string | null;
  readonly folder: { readonly id: string } | null;
}

export const reachesPlace = (reach: Reach, { organizationId, folder }: Place): boolean =>
  reachesOrganization(reach, organizationId) && reachesFolder(reach, folder?.id ?? null);

export const reachesFolder = ({ folderIds }: ReachLimits, folderId: string | null): boolean =>
  folderIds === null || (folderId !== null && folderIds.includes(folderId.toLowerCase()));

/** Of an organization, or with null of the user: each sends all events of the one, or of all organizations. */
export const reachesWebhooks = (reach: Reach, organizationId: string | null): boolean =>
  organizationId === null
    ? reachesAll(reach)
    : reachesOrganization(reach, organizationId) && reach.folderIds === null;

/** Who asks, with an API key or, on the command line, without one. */
export interface Asker {
  readonly id: string | null;
  readonly apiKey?: Reach;
}

export const reachOf = ({ apiKey = EVERYTHING }: Asker): Reach => apiKey;

/** Refuses what concerns a whole organization to a key that is limited to folders. */
export function requireWholeOrganizations(asker: Asker, what: string): void {
  if (reachOf(asker).folderIds === null) return;
  throw new DomainError('FORBIDDEN', `This API key is limited to certain folders, so it cannot ${what}.`);
}

/** What a change says besides who, when and which, as `change-catalog.ts` describes it. */
export type ChangeDetails = Readonly<Record<string, unknown>>;

/** A side of `recording.moved`; the organization is there only if it changes. */
type Side = Partial<Readonly<Record<'organization_id' | 'folder_id', string | null>>>;

/** Returns what a change says as far as a key reaches: without places that it does not, and without webhooks. */
export function reachedChanges(
  reach: Reach,
  organizationId: string | null,
  changes: ChangeDetails,
): ChangeDetails {
  const reached = Object.entries(changes)
    .filter(([name]) => name !== 'disabled_webhooks' || reachesWebhooks(reach, organizationId))
    .map(([name, value]) => [name, SIDES.has(name) ? reachedPlace(reach, value as Side) : value]);
  return Object.fromEntries(reached) as ChangeDetails;
}

const SIDES: ReadonlySet<string> = new Set(['before', 'after']);

function reachedPlace(reach: Reach, side: Side): object {
  const { organization_id: organizationId, folder_id: folderId } = side;
  if (organizationId !== undefined && !reachesOrganization(reach, organizationId)) return {};
  if (folderId === undefined || reachesFolder(reach, folderId)) return side;
  return organizationId === undefined ? {} : { organization_id: organizationId };
}
