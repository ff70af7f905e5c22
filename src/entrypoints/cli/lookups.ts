import type { INestApplicationContext } from '@nestjs/common';
import {
  OrganizationDetailsService,
  type OrganizationDetails,
} from '../../modules/organizations/organization-details.service.js';
import { OrganizationsService, type Member } from '../../modules/organizations/organizations.service.js';
import type { User } from '../../modules/users/entities/user.entity.js';
import { UsersService } from '../../modules/users/users.service.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import { isStorable } from '../../platform/text.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { notFound } from './exit-status.js';

/** The user with the email address that an option gives. */
export async function requireUser(
  service: INestApplicationContext,
  option: string,
  email: string,
): Promise<User> {
  const given = email.trim();
  const user = isStorable(given) ? await service.get(UsersService).findByEmail(given) : null;
  if (!user) throw notFound(`${option}: there is no user "${email}"`);
  return user;
}

export async function requireOrganization(
  service: INestApplicationContext,
  id: string,
): Promise<OrganizationDetails> {
  return service.get(OrganizationDetailsService).get(COMMAND_LINE, id);
}

/** The member with the email address that an option gives. */
export async function requireMember(
  service: INestApplicationContext,
  organizationId: string,
  option: string,
  email: string,
): Promise<Member> {
  const { id } = await requireUser(service, option, email);
  try {
    return await service.get(OrganizationsService).member(organizationId, id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'MEMBER_NOT_FOUND') throw error;
    throw notFound(`${option}: "${email}" is not a member of the organization`);
  }
}
