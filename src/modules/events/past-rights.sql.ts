import type { Role } from '../../policy/roles.js';

/** Rights as the change log records them. */
export interface LoggedRights {
  readonly role: Role;
  readonly view_all_recordings: boolean;
  readonly view_folder_recordings: boolean;
}

/** Where a recording was when something happened to it, and what the viewer was permitted then. */
export interface PastRow {
  readonly changeId: string;
  readonly organizationId: string | null;
  readonly folderId: string | null;
  readonly ownerId: string | null;
  readonly folderAccess: 'open' | 'restricted' | null;
  /** Whether this is its move between folders; the next two are about the one that it was in before. */
  readonly isMove: boolean;
  readonly previousFolderId: string | null;
  readonly previousFolderAccess: 'open' | 'restricted' | null;
  /** Null if the viewer was no member. */
  readonly rights: LoggedRights | null;
  /** Whether its folder, if restricted, named the viewer; the same for the folder it was moved from. */
  readonly named: boolean;
  readonly previouslyNamed: boolean;
  /** Where it is now; null once it has been deleted. */
  readonly now: { readonly organizationId: string | null; readonly folderId: string | null } | null;
}

/**
 * The state after the last row of the log up to the change, or before the first one after it. Without any, nothing has changed
 * since, and `current` applies.
 */
const asOf = (
  rows: string,
  state: { readonly before: string; readonly after: string },
  current: string,
): string => `
  CASE
    WHEN EXISTS (SELECT ${rows} AND (h.at, h.id) <= (c.at, c.id))
    THEN (SELECT ${state.after} ${rows} AND (h.at, h.id) <= (c.at, c.id) ORDER BY h.at DESC, h.id DESC LIMIT 1)
    WHEN EXISTS (SELECT ${rows} AND (h.at, h.id) > (c.at, c.id))
    THEN (SELECT ${state.before} ${rows} AND (h.at, h.id) > (c.at, c.id) ORDER BY h.at, h.id LIMIT 1)
    ELSE (${current})
  END`;

const RIGHTS = asOf(
  `FROM change_log h WHERE h.organization_id = c.organization_id AND h.target_id = $2
     AND h.type IN ('member.added', 'member.updated', 'member.removed')`,
  { before: "h.details -> 'before'", after: "h.details -> 'after'" },
  `SELECT to_jsonb(m) FROM organization_members m WHERE m.organization_id = c.organization_id AND m.user_id = $2`,
);

const named = (folder: string): string =>
  asOf(
    `FROM change_log h WHERE h.organization_id = c.organization_id AND h.target_id = ${folder} AND h.user_id = $2
       AND h.type IN ('folder.member_added', 'folder.member_removed')`,
    { before: "h.type = 'folder.member_removed'", after: "h.type = 'folder.member_added'" },
    `SELECT EXISTS (SELECT FROM folder_members f WHERE f.folder_id = ${folder} AND f.user_id = $2)`,
  );

const PREVIOUS_FOLDER = `(c.details -> 'before' ->> 'folder_id')::uuid`;

/** The changes \`$1\` as they concern the user \`$2\`. */
export const PAST = `
  SELECT c.id AS "changeId", c.organization_id AS "organizationId", c.folder_id AS "folderId", c.owner_id AS "ownerId",
         c.folder_access AS "folderAccess",
         c.type = 'recording.moved' AND c.details -> 'before' -> 'organization_id' IS NULL AS "isMove",
         ${PREVIOUS_FOLDER} AS "previousFolderId", c.details -> 'before' ->> 'folder_access' AS "previousFolderAccess",
         ${RIGHTS} AS rights, ${named('c.folder_id')} AS named, ${named(PREVIOUS_FOLDER)} AS "previouslyNamed",
         CASE WHEN r.id IS NOT NULL THEN json_build_object('organizationId', r.organization_id, 'folderId', r.folder_id) END AS now
  FROM unnest($1::uuid[], $3::timestamptz[]) AS wanted (id, at)
  JOIN change_log c ON c.at = wanted.at AND c.id = wanted.id
  LEFT JOIN recordings r ON r.id = c.recording_id`;
