import { ApiSchema, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { USER_PLANS, type UserPlan } from '../../../policy/plans.js';
import { Person } from '../public/person.dto.js';
import { UpdateMeDto } from '../public/update-me.request.dto.js';
import { present } from '../../../contract/present.js';
import type { User } from '../entities/user.entity.js';
import type { GivenUser } from '../users.service.js';
import {
  ExternalChanges,
  ExternalFields,
  ExternalIdParameter,
  ExternalProperties,
  MetadataParameter,
  type Metadata,
} from '../../../contract/external-ids.js';
import { Transform } from 'class-transformer';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { BooleanField, ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { EmailField, IdParameter, TextParameter } from '../../../platform/http/fields/text-fields.js';

/** What users are shown of themselves. */
export class PresentedSelf extends Person {
  @EnumProperty('Personal plan', { values: USER_PLANS, name: 'UserPlan', example: 'PRO' })
  plan: UserPlan;

  @BooleanProperty(
    'Whether the user is an operator, who can manage all users and the plans of organizations',
    { example: false },
  )
  is_operator: boolean;

  @TimestampProperty('When the user was created')
  created_at: string;
}

/** With what those who manage them keep about them. */
@ApiSchema({ name: 'User' })
export class PresentedUser extends IntersectionType(PresentedSelf, ExternalProperties) {}

export const presentUser = (user: User): PresentedUser =>
  present(PresentedUser, { ...user, isOperator: user.operator });

export const presentSelf = (user: User): PresentedSelf =>
  present(PresentedSelf, { ...user, isOperator: user.operator });

export class ListUsersDto {
  @TextParameter('Partial match on name or email address, ignoring case', {
    ...LIMITS.filter,
    optional: true,
    example: 'ada',
  })
  search?: string;

  @ExternalIdParameter('Only the user with this external id')
  external_id?: string;

  @MetadataParameter()
  metadata?: Metadata;

  @IntegerParameter('Maximum number of users per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, of a request with the same parameters')
  cursor?: string;
}

const UNIQUE = 'among all users';

export class CreateUserDto extends IntersectionType(UpdateMeDto, ExternalFields(UNIQUE)) {
  @EmailField('Email address; verified ones are unique per user, ignoring case', {
    ...LIMITS.email,
    example: 'ada@acme.test',
  })
  email: string;

  @BooleanField(
    'Whether you know that the address is theirs; by default, you do. False: they are not found by it, and others may have the same; an address that is verified already stays so',
    { optional: true, example: true },
  )
  email_verified: boolean = true;

  @ChoiceField('Personal plan; by default, for a new user, `DEFAULT_PLAN`', {
    values: USER_PLANS,
    name: 'UserPlan',
    optional: true,
    example: 'PRO',
  })
  plan?: UserPlan;
}

/** Swagger UI fills in the first example. */
export const CREATE_USER_BODIES = {
  customer: {
    summary: 'A customer of yours',
    value: { email: 'ada@acme.test', name: 'Ada', external_id: 'CRM-4711' },
  },
  unverified: {
    summary: 'One whose address you have not verified',
    value: { email: 'lin@acme.test', name: 'Lin', email_verified: false, plan: 'PRO' },
  },
};

export const givenUser = ({
  email_verified: emailVerified,
  external_id: externalId,
  ...user
}: CreateUserDto): GivenUser => ({ ...user, emailVerified, externalId });

/** Requires at least one field, which the service checks. */
export class UpdateUserDto extends IntersectionType(
  PartialType(OmitType(CreateUserDto, ['email_verified', 'external_id', 'metadata']), {
    skipNullProperties: false,
  }),
  ExternalChanges(UNIQUE),
) {}

export class DeleteUserDto {
  @IdParameter(
    'Member of all their organizations who takes over their recordings there; defaults to the operator who deletes them where they are a member, and otherwise to an `OWNER` of each organization',
    { optional: true, example: EXAMPLE_IDS.member },
  )
  new_owner?: string;
}

export const OWN_ADDRESS = 'must be your own email address, as in GET /api/v1/me: it confirms the deletion';

export class DeleteMeDto extends DeleteUserDto {
  // A + that was not encoded is a blank in a query.
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().replaceAll(' ', '+') : value,
  )
  @EmailField("The caller's own email address, which confirms the deletion", {
    ...LIMITS.email,
    expects: OWN_ADDRESS,
    example: 'you@example.com',
  })
  confirm: string;
}
