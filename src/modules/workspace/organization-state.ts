import type { EntityManager } from 'typeorm';
import type { Feature, Plan, SubscriptionStatus } from '../../policy/plans.js';
import type { ViewFlag } from '../../policy/management.js';
import type { Role } from '../../policy/roles.js';

export interface FoundMember {
  readonly role: Role;
  readonly flags: Readonly<Record<Feature | ViewFlag, boolean>>;
}

export interface FoundFolder {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** Addresses in lower case, ids of members whose address is not verified; null: open to all members. */
  readonly restrictedTo: readonly string[] | null;
}

/** An organization in the database with all that a workspace file says about one. */
export interface FoundOrganization {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly subscription: { readonly status: SubscriptionStatus; readonly endsAt: Date | null };
  readonly features: Readonly<Record<Feature, boolean>>;
  readonly membersMayTakeRecordings: boolean;
  readonly deletedAt: Date | null;
  /** By user. */
  readonly members: Map<string, FoundMember>;
  /** By name, without deleted ones. */
  readonly folders: Map<string, FoundFolder>;
}

const FEATURE_COLUMNS = `json_build_object(
  'downloads', feature_downloads, 'sharing', feature_sharing, 'transcription', feature_transcription,
  'summaries', feature_summaries, 'questions', feature_questions)`;

const ORGANIZATIONS = `
  SELECT id, name, plan, subscription_status AS status, subscription_ends_at AS "endsAt", deleted_at AS "deletedAt",
    ${FEATURE_COLUMNS} AS features, members_may_take_recordings AS "membersMayTakeRecordings"
  FROM organizations WHERE id = ANY ($1)`;

const MEMBERS = `
  SELECT organization_id AS "organizationId", user_id AS "userId", role, ${FEATURE_COLUMNS} AS features,
    view_all_recordings AS "viewAllRecordings", view_folder_recordings AS "viewFolderRecordings"
  FROM organization_members WHERE organization_id = ANY ($1)`;

const FOLDERS = `
  SELECT organization_id AS "organizationId", id, name, active, CASE WHEN restricted THEN ARRAY(
    SELECT CASE WHEN u.email_verified THEN lower(u.email) ELSE u.id::text END FROM folder_members fm JOIN users u ON u.id = fm.user_id
    WHERE fm.folder_id = f.id) END AS "restrictedTo"
  FROM folders f WHERE organization_id = ANY ($1) AND deleted_at IS NULL`;

type OrganizationRow = Omit<FoundOrganization, 'subscription' | 'members' | 'folders'> &
  FoundOrganization['subscription'];
type MemberRow = { readonly organizationId: string; readonly userId: string; readonly role: Role } & {
  readonly features: Readonly<Record<Feature, boolean>>;
} & Readonly<Record<ViewFlag, boolean>>;
type FolderRow = FoundFolder & { readonly organizationId: string };

/** Reads organizations by id, in three statements. */
export async function readOrganizations(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, FoundOrganization>> {
  const found = new Map<string, FoundOrganization>();
  if (ids.length === 0) return found;
  for (const { status, endsAt, ...row } of await manager.query<OrganizationRow[]>(ORGANIZATIONS, [ids])) {
    found.set(row.id, { ...row, subscription: { status, endsAt }, members: new Map(), folders: new Map() });
  }
  for (const row of await manager.query<MemberRow[]>(MEMBERS, [ids])) {
    const { organizationId, userId, role, features, viewAllRecordings, viewFolderRecordings } = row;
    const flags = { ...features, viewAllRecordings, viewFolderRecordings };
    found.get(organizationId)?.members.set(userId, { role, flags });
  }
  for (const { organizationId, ...folder } of await manager.query<FolderRow[]>(FOLDERS, [ids])) {
    found.get(organizationId)?.folders.set(folder.name, folder);
  }
  return found;
}
