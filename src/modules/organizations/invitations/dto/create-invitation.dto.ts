import { LIMITS } from '../../../../contract/limits.js';
import { CursorParameter } from '../../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../../contract/example-ids.js';
import { ChoiceField } from '../../../../platform/http/fields/choice-fields.js';
import { IdsField, NestedField } from '../../../../platform/http/fields/list-fields.js';
import { IntegerParameter } from '../../../../platform/http/fields/number-fields.js';
import { EmailField, TextField } from '../../../../platform/http/fields/text-fields.js';
import { ROLES, type Role } from '../../../../policy/roles.js';
import { MemberFeaturesDto } from '../../public/feature-flags.dto.js';
import { INVITATION_LANGUAGES, type InvitationLanguage } from '../entities/invitation.entity.js';

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
  @TextField('Partial match on the email address, ignoring case', {
    min: 1,
    max: 500,
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
    min: 1,
    max: 200,
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
