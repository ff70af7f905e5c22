import { LIMITS } from '../../../contract/limits.js';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IdsField, NestedField } from '../../../platform/http/fields/list-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { EmailField, TextField, TextParameter } from '../../../platform/http/fields/text-fields.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { MemberFeaturesDto, MemberFeatures } from '../public/feature-flags.dto.js';
import {
  INVITATION_LANGUAGES,
  MAIL_STATUSES,
  type InvitationLanguage,
  type MailStatus,
} from './entities/invitation.entity.js';
import { ApiSchema } from '@nestjs/swagger';
import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../../platform/openapi/field.decorator.js';
import { Person } from '../../users/public/person.dto.js';
import type { ManagedInvitation } from './invitations.service.js';
import { present } from '../../../contract/present.js';

export class CreateInvitationDto {
  @EmailField('Email address of the invited person', { ...LIMITS.email, example: 'grace@acme.test' })
  email: string;

  @ChoiceField('Role of the future member; must be a role the caller manages', {
    values: ROLES,
    example: 'EDITOR',
  })
  role: Role;

  @NestedField(
    () => MemberFeaturesDto,
    'Feature flags of the future member; omitted flags get their default value',
    { optional: true },
  )
  features?: MemberFeaturesDto;

  @IdsField('Restricted folders the member will have access to; must be active', {
    max: LIMITS.restrictedTo,
    optional: true,
    example: [EXAMPLE_IDS.folder],
  })
  folder_ids?: string[];

  @ChoiceField('Language of the email; defaults to `MAIL_LANGUAGE`', {
    values: INVITATION_LANGUAGES,
    optional: true,
    example: 'de',
  })
  language?: InvitationLanguage;
}

export const CREATE_INVITATION_BODIES = {
  plain: { summary: 'Invite somebody', value: { email: 'grace@acme.test', role: 'EDITOR' } },
  limited: {
    summary: 'With feature flags, in German',
    value: {
      email: 'grete@acme.test',
      role: 'VIEWER',
      features: { downloads: false, view_all_recordings: true },
      language: 'de',
    },
  },
};

export class ListInvitationsDto {
  @TextParameter('Partial match on the email address, ignoring case', {
    ...LIMITS.filter,
    optional: true,
    example: 'grace',
  })
  search?: string;

  @IntegerParameter('Maximum number of invitations per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, of a request with the same parameters')
  cursor?: string;
}

export class AcceptInvitationDto {
  @TextField('The token of the invitation: the last part of its URL', {
    ...LIMITS.invitationToken,
    example: 'inv_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
  })
  token: string;

  @TextField('Display name of the new user; required without an API key, and refused with one', {
    ...LIMITS.name,
    trim: true,
    optional: true,
    example: 'Grace Hopper',
  })
  name?: string;
}

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

export const presentInvitation = ({ invitation, url, token, ...managed }: ManagedInvitation) =>
  present(PresentedInvitation, {
    ...invitation,
    ...managed,
    features: { ...invitation, ...invitation.features },
    inviteUrl: url,
    inviteToken: token,
  });
