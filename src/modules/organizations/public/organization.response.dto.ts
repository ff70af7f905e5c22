import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
  StringListProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { presentQuotas, QuotaSet } from '../../quotas/public/quotas.response.dto.js';
import { Person, presentPerson } from '../../users/public/person.dto.js';
import type { MemberFlags } from '../../../policy/management.js';
import type { ListedFolderOfCaller, Member, OrganizationOfCaller } from '../organizations.service.js';
import { OrganizationFeatures } from './organization-details.response.dto.js';

@ApiSchema({ name: 'Organization' })
export class ListedOrganization {
  @IdProperty('Identifier of the organization')
  id: string;

  @TextProperty('Name', { example: 'Acme' })
  name: string;

  @EnumProperty("The caller's role", { values: ROLES, name: 'OrganizationRole', example: 'EDITOR' })
  role: Role;

  @IntegerProperty('Number of members', { example: 12 })
  member_count: number;

  @NestedProperty(
    () => QuotaSet,
    "Use and limits of the organization's plan; null for members who may not see all of its recordings (`EDITOR`, `VIEWER`)",
    { nullable: true },
  )
  quotas: QuotaSet | null;
}

@ApiSchema({ name: 'Folder' })
export class ListedFolder {
  @IdProperty('Identifier of the folder')
  id: string;

  @TextProperty('Name', { example: 'Board' })
  name: string;

  @BooleanProperty(
    'Whether it is active; recordings in an inactive folder are treated as being in no folder',
    { example: true },
  )
  is_active: boolean;

  @BooleanProperty('Whether it is restricted to certain members', { example: true })
  is_restricted: boolean;

  @StringListProperty(
    'Ids of the members it is restricted to, for `OWNER` and `ADMIN`; null if open to all members, or for other callers',
    { example: ['01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90'], nullable: true },
  )
  restricted_to: string[] | null;
}

/** The seven feature flags of a member. */
export class MemberFeatures extends OrganizationFeatures {
  @BooleanProperty('Seeing all recordings of the organization; `OWNER` and `ADMIN` always do', {
    example: false,
  })
  view_all_recordings: boolean;

  @BooleanProperty('Seeing the recordings in folders that are open to the member', { example: true })
  view_folder_recordings: boolean;
}

@ApiSchema({ name: 'Member' })
export class ListedMember extends Person {
  @EnumProperty("The member's role", { values: ROLES, name: 'OrganizationRole', example: 'OWNER' })
  role: Role;

  @NestedProperty(
    () => MemberFeatures,
    'Feature flags of the member, for `OWNER`, `ADMIN` and the member; null for others. A feature must also be part of the plan and enabled for the organization',
    { nullable: true },
  )
  features: MemberFeatures | null;

  @TimestampProperty('When they became a member')
  joined_at: string;
}

export function presentOrganization({
  id,
  name,
  role,
  memberCount,
  quotas,
}: OrganizationOfCaller): ListedOrganization {
  return { id, name, role, member_count: memberCount, quotas: quotas && presentQuotas(quotas) };
}

export function presentFolder(folder: ListedFolderOfCaller): ListedFolder {
  const { id, name, active, restricted, restrictedTo } = folder;
  return {
    id,
    name,
    is_active: active,
    is_restricted: restricted,
    restricted_to: restricted && restrictedTo ? [...restrictedTo] : null,
  };
}

export function presentMember(member: Member): ListedMember {
  const { role, flags, joinedAt } = member;
  return {
    ...presentPerson(member),
    role,
    features: flags && presentFlags(flags),
    joined_at: joinedAt.toISOString(),
  };
}

export function presentFlags(flags: MemberFlags): MemberFeatures {
  const { downloads, sharing, transcription, summaries, questions } = flags;
  return {
    downloads,
    sharing,
    transcription,
    summaries,
    questions,
    view_all_recordings: flags.viewAllRecordings,
    view_folder_recordings: flags.viewFolderRecordings,
  };
}
