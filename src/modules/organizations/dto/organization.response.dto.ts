import { ApiSchema } from '@nestjs/swagger';
import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { presentQuotas, QuotaSet } from '../../quotas/dto/quotas.response.dto.js';
import type { Folder } from '../entities/folder.entity.js';
import type { Member, OrganizationOfCaller } from '../organizations.service.js';

@ApiSchema({ name: 'Organization' })
export class ListedOrganization {
  @IdProperty({ description: 'Identifier of the organization' })
  id: string;

  @TextProperty({ description: 'Name', example: 'Acme' })
  name: string;

  @EnumProperty({
    values: ROLES,
    name: 'OrganizationRole',
    description: "The caller's role",
    example: 'EDITOR',
  })
  role: Role;

  @IntegerProperty({ description: 'Number of members', example: 12 })
  member_count: number;

  @NestedProperty(() => QuotaSet, {
    description:
      "Use and limits of the organization's plan; null for members who may not see all of its recordings (`EDITOR`, `VIEWER`)",
    nullable: true,
  })
  quotas: QuotaSet | null;
}

@ApiSchema({ name: 'Folder' })
export class ListedFolder {
  @IdProperty({ description: 'Identifier of the folder' })
  id: string;

  @TextProperty({ description: 'Name', example: 'Board' })
  name: string;
}

@ApiSchema({ name: 'Member' })
export class ListedMember {
  @IdProperty({ description: 'Identifier of the user' })
  id: string;

  @TextProperty({ description: 'Email address', example: 'ada@acme.test' })
  email: string;

  @TextProperty({ description: 'Display name', example: 'Ada' })
  name: string;

  @EnumProperty({
    values: ROLES,
    name: 'OrganizationRole',
    description: "The member's role",
    example: 'OWNER',
  })
  role: Role;
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

export function presentFolder({ id, name }: Folder): ListedFolder {
  return { id, name };
}

export function presentMember({ id, email, name, role }: Member): ListedMember {
  return { id, email, name, role };
}
