import { Choice, Id, Text, Whole } from '../../../platform/openapi/field.decorator.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import type { Folder } from '../entities/folder.entity.js';
import type { Member, OrganizationOfCaller } from '../organizations.service.js';

export class OrganizationItem {
  @Id({ description: 'Identifier of the organization' })
  id: string;

  @Text({ description: 'Name', example: 'Acme' })
  name: string;

  @Choice({ values: ROLES, name: 'Role', description: "The caller's role", example: 'EDITOR' })
  role: Role;

  @Whole({ description: 'Number of members', example: 12 })
  member_count: number;
}

export class FolderItem {
  @Id({ description: 'Identifier of the folder' })
  id: string;

  @Text({ description: 'Name', example: 'Board' })
  name: string;
}

export class MemberItem {
  @Id({ description: 'Identifier of the user' })
  id: string;

  @Text({ description: 'E-mail address', example: 'ada@acme.test' })
  email: string;

  @Text({ description: 'Display name', example: 'Ada' })
  name: string;

  @Choice({ values: ROLES, name: 'Role', description: "The member's role", example: 'OWNER' })
  role: Role;
}

export function presentOrganization({ id, name, role, memberCount }: OrganizationOfCaller): OrganizationItem {
  return { id, name, role, member_count: memberCount };
}

export function presentFolder({ id, name }: Folder): FolderItem {
  return { id, name };
}

export function presentMember({ id, email, name, role }: Member): MemberItem {
  return { id, email, name, role };
}
