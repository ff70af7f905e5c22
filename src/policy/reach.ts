import { DomainError } from '../contract/domain-error.js';

/** How far an API key reaches, of what its user can. What it does not reach is absent for it. */
export interface Reach {
  /** Null: all, and what belongs to no organization. */
  readonly organizationIds: readonly string[] | null;
  /** Of recordings, only those in these folders; null: all. Only together with `organizationIds`. */
  readonly folderIds: readonly string[] | null;
}

/** That of a key that is not limited, and of whatever nobody's key asks for. */
export const EVERYTHING: Reach = { organizationIds: null, folderIds: null };

export const reachesEverything = ({ organizationIds }: Reach): boolean => organizationIds === null;

/** `organizationId` null: what belongs to none. */
export function reachesOrganization({ organizationIds }: Reach, organizationId: string | null): boolean {
  if (organizationIds === null) return true;
  return organizationId !== null && organizationIds.includes(organizationId.toLowerCase());
}

/** Where a recording is. `folder` is null if it is in none, or in an inactive one. */
interface Place {
  readonly organizationId: string | null;
  readonly folder: { readonly id: string } | null;
}

export const reachesPlace = (reach: Reach, { organizationId, folder }: Place): boolean =>
  reachesOrganization(reach, organizationId) && reachesFolder(reach, folder?.id ?? null);

export const reachesFolder = ({ folderIds }: Reach, folderId: string | null): boolean =>
  folderIds === null || (folderId !== null && folderIds.includes(folderId.toLowerCase()));

/** Who asks, with an API key or, on the command line, without one. */
export interface Asker {
  readonly id: string | null;
  readonly apiKey?: Reach;
}

export const reachOf = ({ apiKey = EVERYTHING }: Asker): Reach => apiKey;

/** Refuses what belongs to no organization, or to a new one, to a key that is limited to some. */
export function requireReachOfEverything(asker: Asker, what: string): void {
  if (reachesEverything(reachOf(asker))) return;
  throw new DomainError(
    'FORBIDDEN',
    `This API key is limited to certain organizations, so it cannot ${what}.`,
  );
}

/** Refuses what concerns a whole organization to a key that is limited to folders. */
export function requireWholeOrganizations(asker: Asker, what: string): void {
  if (reachOf(asker).folderIds === null) return;
  throw new DomainError('FORBIDDEN', `This API key is limited to certain folders, so it cannot ${what}.`);
}
