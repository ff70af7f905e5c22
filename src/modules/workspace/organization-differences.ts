import { FEATURES } from '../../policy/plans.js';
import { VIEW_FLAGS } from '../../policy/management.js';
import type {
  OrganizationChanges,
  OrganizationTermsChanges,
} from '../organization-management/organization-changes.service.js';
import type { FolderChanges } from '../organization-management/folders/folders.service.js';
import type { MemberChanges } from '../organization-management/members/members.service.js';
import { compare, quoted, word, type FieldDifference } from './differences.js';
import type { FoundFolder, FoundMember, FoundOrganization } from './organization-state.js';
import type { WorkspaceFolder, WorkspaceMember, WorkspaceOrganization } from './workspace.schema.js';

export type OrganizationChange = OrganizationChanges & OrganizationTermsChanges;

/** Of the organization itself, without members and folders. */
export function differencesOfOrganization(
  { name, plan, subscription, features, membersMayTakeRecordings }: WorkspaceOrganization,
  found: FoundOrganization,
): FieldDifference<OrganizationChange>[] {
  const { status, endsAt } = subscription;
  return [
    ...compare<OrganizationChange>('name', found.name, name, { change: { name } }),
    ...compare<OrganizationChange>('plan', found.plan, plan, { change: { plan }, show: word }),
    ...compare<OrganizationChange>('subscription.status', found.subscription.status, status, {
      change: { subscription: { status, endsAt } },
      show: word,
    }),
    ...compare<OrganizationChange>('subscription.endsAt', found.subscription.endsAt, endsAt, {
      change: { subscription: { status, endsAt } },
    }),
    ...FEATURES.flatMap((flag) =>
      compare<OrganizationChange>(`features.${flag}`, found.features[flag], features[flag], {
        change: { features: given(features) },
      }),
    ),
    ...compare<OrganizationChange>(
      'membersMayTakeRecordings',
      found.membersMayTakeRecordings,
      membersMayTakeRecordings,
      { change: { membersMayTakeRecordings } },
    ),
  ];
}

export function differencesOfMember(
  { role, features }: WorkspaceMember,
  found: FoundMember,
): FieldDifference<MemberChanges>[] {
  return [
    ...compare<MemberChanges>('role', found.role, role, { change: { role }, show: word }),
    ...[...FEATURES, ...VIEW_FLAGS].flatMap((flag) =>
      compare<MemberChanges>(`features.${flag}`, found.flags[flag], features[flag], {
        change: { flags: given(features) },
      }),
    ),
  ];
}

/** Changes name the members of a restricted folder by their addresses, in lower case. */
export function differencesOfFolder(
  { name, active, restrictedTo }: WorkspaceFolder,
  found: FoundFolder,
): FieldDifference<FolderChanges>[] {
  const emails = restrictedTo && [...new Set(restrictedTo.map((email) => email.toLowerCase()))];
  return [
    ...compare<FolderChanges>('name', found.name, name, { change: { name } }),
    ...compare<FolderChanges>('active', found.active, active, { change: { active } }),
    ...compare<FolderChanges>('restrictedTo', found.restrictedTo, emails, {
      change: { restrictedTo: emails },
      show: (value) => (value === null ? 'all members' : quoted(value)),
    }),
  ];
}

/** Without the flags that the file leaves out. */
function given<Flags extends object>(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as Flags;
}
