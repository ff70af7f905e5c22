import { z } from '../../../platform/zod.js';
import { LIMITS } from '../../../contract/limits.js';
import { emailAddress, lookupIds, objectOf, oneOf } from '../../../platform/http/body-schemas.js';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { IntegerParameter, TextField } from '../../../platform/http/fields.js';
import { ROLES } from '../../../policy/roles.js';
import { MEMBER_FEATURES } from '../../organization-management/dto/feature-flags.schema.js';
import { INVITATION_LANGUAGES } from '../entities/invitation.entity.js';

export const CREATE_INVITATION = z
  .strictObject(
    {
      email: emailAddress(LIMITS.email).meta({ description: 'Email address of the invited person' }),
      role: oneOf(ROLES).meta({
        description: 'Role of the future member; must be a role the caller manages',
      }),
      features: MEMBER_FEATURES.optional().meta({
        description: 'Feature flags of the future member; omitted flags get their default value',
      }),
      folder_ids: lookupIds(LIMITS.restrictedTo)
        .optional()
        .meta({ description: 'Restricted folders the member will have access to; must be active' }),
      language: oneOf(INVITATION_LANGUAGES)
        .optional()
        .meta({ description: 'Language of the email; defaults to `MAIL_LANGUAGE`' }),
    },
    { error: objectOf(['email', 'role', 'features', 'folder_ids', 'language']) },
  )
  .meta({ title: 'CreateInvitationRequest' });
export type CreateInvitation = z.output<typeof CREATE_INVITATION>;

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
