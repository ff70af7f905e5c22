import { seesWholeOrganization, type Role } from '../../../policy/roles.js';
import type { TermsRow } from '../access/public/columns.js';
import type { ListFilters } from './recording-filters.js';

export interface MembershipRow extends TermsRow {
  readonly organizationId: string;
  readonly role: Role;
  /** The active folders open to this member, among those that were queried. */
  readonly openFolders: readonly string[];
  readonly closedFolders: readonly string[];
}

/**
 * A visibility slice: a part of what a user can see that one index serves in the order of the list, namely recordings
 * whose `column` is one of `values`. A user's slices never overlap, so their counts add up and their pages can be
 * merged.
 */
export interface VisibilitySlice {
  readonly column: 'owner_id' | 'organization_id' | 'folder_id';
  readonly values: readonly string[];
  /** Only recordings outside of organizations, or only those that the viewer owns. */
  readonly only?: 'personal' | 'own';
  /** Excludes these folders from the viewer's own recordings, because other slices cover them completely. */
  readonly outside?: readonly string[];
}

/** What a caller can see, and the filters applied to it. */
export interface ListScope {
  readonly viewerId: string;
  readonly slices: readonly VisibilitySlice[];
  readonly filters: ListFilters;
}

/** The policy's `canSee` as slices: everything that the user can see. */
export function visibilitySlices(
  viewerId: string,
  memberships: readonly MembershipRow[],
  personal: boolean,
): VisibilitySlice[] {
  const whole = memberships.filter(seesWholeOrganization);
  const part = memberships.filter((membership) => !seesWholeOrganization(membership));
  const folders = part
    .filter((membership) => membership.viewFolderRecordings)
    .flatMap((membership) => membership.openFolders);
  const slices: VisibilitySlice[] = [
    { column: 'owner_id', values: personal ? [viewerId] : [], only: 'personal' },
    { column: 'organization_id', values: whole.map((membership) => membership.organizationId) },
    {
      column: 'organization_id',
      values: part.map((membership) => membership.organizationId),
      only: 'own',
      ...(folders.length > 0 ? { outside: folders } : {}),
    },
    { column: 'folder_id', values: folders },
  ];
  return slices.filter((slice) => slice.values.length > 0);
}

/** The same within one folder; none when the folder is unknown, inactive or of another organization. */
export function folderSlices(membership: MembershipRow, folderId: string): VisibilitySlice[] {
  const id = folderId.toLowerCase();
  const open = membership.openFolders.includes(id);
  if (!open && !membership.closedFolders.includes(id)) return [];
  const wholeFolder = seesWholeOrganization(membership) || (membership.viewFolderRecordings && open);
  return [{ column: 'folder_id', values: [id], ...(wholeFolder ? {} : { only: 'own' as const }) }];
}

/** The same within the active folders that an API key is limited to, which are those that the memberships have. */
export function slicesOfFolders(memberships: readonly MembershipRow[]): VisibilitySlice[] {
  const parts = memberships.map((membership) => {
    const { openFolders: open, closedFolders: closed, viewFolderRecordings: views } = membership;
    if (seesWholeOrganization(membership)) return { whole: [...open, ...closed], own: [] };
    return views ? { whole: open, own: closed } : { whole: [], own: [...open, ...closed] };
  });
  const slices: VisibilitySlice[] = [
    { column: 'folder_id', values: parts.flatMap(({ whole }) => whole) },
    { column: 'folder_id', values: parts.flatMap(({ own }) => own), only: 'own' },
  ];
  return slices.filter((slice) => slice.values.length > 0);
}
