import { ApiSchema } from '@nestjs/swagger';
import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../../../platform/openapi/field.decorator.js';
import { ROLES, type Role } from '../../../../policy/roles.js';
import { MemberFeatures, presentFlags } from '../../public/feature-flags.response.dto.js';
import { Person, presentPerson } from '../../../users/public/person.dto.js';
import { MAIL_STATUSES, type MailStatus } from '../entities/invitation.entity.js';
import type { AcceptedInvitation } from '../invitation-acceptance.service.js';
import type { ManagedInvitation } from '../invitations.service.js';
import { present } from '../../../../contract/present.js';

const ROLE = { values: ROLES, name: 'OrganizationRole', example: 'EDITOR' } as const;

@ApiSchema({ name: 'Invitation' })
export class PresentedInvitation {
  @IdProperty('Identifier of the invitation')
  id: string;

  @TextProperty('Email address of the invited person', { example: 'grace@acme.test' })
  email: string;

  @EnumProperty('Role of the future member', ROLE)
  role: Role;

  @NestedProperty(() => MemberFeatures, 'Feature flags of the future member')
  features: MemberFeatures;

  @StringListProperty('Ids of the restricted folders the member will have access to', {
    example: ['01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90'],
  })
  folder_ids: string[];

  @IdProperty('Id of the sender; the invitation becomes invalid if they leave')
  invited_by: string;

  @EnumProperty(
    '`queued`, `sent` or `failed`; `none` if no mail server is configured and the sender passes the link on',
    { values: MAIL_STATUSES, name: 'InvitationMailStatus', example: 'sent' },
  )
  mail_status: MailStatus;

  @TextProperty('Why the email failed or is still queued; null otherwise', { example: null, nullable: true })
  mail_error: string | null;

  @TimestampProperty('When the person was invited')
  created_at: string;

  @TimestampProperty('When it was last sent')
  sent_at: string;

  @TimestampProperty('When it expires', { example: '2026-02-14T09:30:00.000Z' })
  expires_at: string;

  @UrlProperty(
    'Link to pass on if no mail server is configured; returned only when the invitation is created or resent, otherwise null',
    {
      example: 'https://meetings.example.com/join/inv_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
      nullable: true,
    },
  )
  invite_url: string | null;

  @TextProperty('The token in that link; null like `invite_url`', {
    example: 'inv_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
    nullable: true,
  })
  invite_token: string | null;
}

export class JoinedOrganization {
  @IdProperty('Identifier of the organization')
  id: string;

  @TextProperty('Name', { example: 'Acme' })
  name: string;

  @EnumProperty('Role of the new member', ROLE)
  role: Role;
}

export class JoinedUser extends Person {}

@ApiSchema({ name: 'AcceptedInvitation' })
export class PresentedAcceptance {
  @NestedProperty(() => JoinedOrganization, 'The organization that the user has joined')
  organization: JoinedOrganization;

  @NestedProperty(() => JoinedUser, 'The user, who may be new')
  user: JoinedUser;

  @TextProperty('The first API key of a new user, only in this response; null for an existing user', {
    example: 'mrs_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
    nullable: true,
  })
  key: string | null;
}

export function presentInvitation(managed: ManagedInvitation): PresentedInvitation {
  const { invitation, folderIds, token: inviteToken, url: inviteUrl } = managed;
  const features = presentFlags({ ...invitation.features, ...invitation });
  return present(PresentedInvitation, { ...invitation, features, folderIds, inviteUrl, inviteToken });
}

export function presentAcceptance(accepted: AcceptedInvitation): PresentedAcceptance {
  const { organization, role, user, key } = accepted;
  return {
    organization: { id: organization.id, name: organization.name, role },
    user: presentPerson(user),
    key,
  };
}
