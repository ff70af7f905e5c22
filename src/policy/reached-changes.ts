import { reachesFolder, reachesOrganization, reachesWebhooks, type Reach } from './reach.js';

/** What a change says besides who, when and which, as `change-catalog.ts` describes it. */
export type ChangeDetails = Readonly<Record<string, unknown>>;

/** A side of `recording.moved`; the organization is there only if it changes. */
type Place = Partial<Readonly<Record<'organization_id' | 'folder_id', string | null>>>;

/**
 * Returns what a change in an organization says, as far as a key reaches: without the places that it does not, to and
 * from which recordings move, and without webhooks.
 */
export function reachedChanges(
  reach: Reach,
  organizationId: string | null,
  changes: ChangeDetails,
): ChangeDetails {
  const reached = Object.entries(changes)
    .filter(([name]) => name !== 'disabled_webhooks' || reachesWebhooks(reach, organizationId))
    .map(([name, value]) => [name, SIDES.has(name) ? reachedPlace(reach, value as Place) : value]);
  return Object.fromEntries(reached) as ChangeDetails;
}

const SIDES: ReadonlySet<string> = new Set(['before', 'after']);

function reachedPlace(reach: Reach, side: Place): object {
  const { organization_id: organizationId, folder_id: folderId } = side;
  if (organizationId !== undefined && !reachesOrganization(reach, organizationId)) return {};
  if (folderId === undefined || reachesFolder(reach, folderId)) return side;
  return organizationId === undefined ? {} : { organization_id: organizationId };
}
