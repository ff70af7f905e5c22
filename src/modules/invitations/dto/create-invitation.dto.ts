import { LIMITS } from '../../../contract/limits.js';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import {
  ChoiceField,
  EmailField,
  IdsField,
  IntegerParameter,
  NestedField,
  TextField,
} from '../../../platform/http/fields.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { MemberFeaturesDto } from '../../organization-management/dto/feature-flags.dto.js';
import { INVITATION_LANGUAGES, type InvitationLanguage } from '../entities/invitation.entity.js';

export class CreateInvitationDto {
  @EmailField({
    ...LIMITS.email,
    description: 'Email address of the invited person',
    example: 'grace@acme.test',
  })
  email: string;

  @ChoiceField({
    values: ROLES,
    description: 'Role of the future member; must be a role the caller manages',
    example: 'EDITOR',
  })
  role: Role;

  @NestedField(() => MemberFeaturesDto, {
    optional: true,
    description: 'Feature flags of the future member; omitted flags get their default value',
  })
  features?: MemberFeaturesDto;

  @IdsField({
    max: LIMITS.restrictedTo,
    optional: true,
    description: 'Restricted folders the member will have access to; must be active',
    example: [EXAMPLE_IDS.folder],
  })
  folder_ids?: string[];

  @ChoiceField({
    values: INVITATION_LANGUAGES,
    optional: true,
    description: 'Language of the email; defaults to `MAIL_LANGUAGE`',
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
  @TextField({
    min: 1,
    max: 500,
    optional: true,
    description: 'Partial match on the email address, ignoring case',
    example: 'grace',
  })
  search?: string;

  @IntegerParameter({ ...LIMITS.page, description: 'Maximum number of invitations per page', example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter({
    description: '`next_cursor` of the previous page, of a request with the same parameters',
  })
  cursor?: string;
}

export class AcceptInvitationDto {
  @TextField({
    min: 1,
    max: 200,
    description: 'The token of the invitation: the last part of its URL',
    example: 'inv_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
  })
  token: string;

  @TextField({
    ...LIMITS.name,
    trim: true,
    optional: true,
    description: 'Display name of the new user; required without an API key, and refused with one',
    example: 'Grace Hopper',
  })
  name?: string;
}
