import { ApiSchema, PartialType } from '@nestjs/swagger';
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
import { Transform } from 'class-transformer';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { EmailField, IdParameter, TextParameter } from '../../../platform/http/fields/text-fields.js';

@ApiSchema({ name: 'User' })
export class PresentedUser extends Person {
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

export const presentUser = (user: User): PresentedUser =>
  present(PresentedUser, { ...user, isOperator: user.operator });

export class ListUsersDto {
  @TextParameter('Partial match on name or email address, ignoring case', {
    ...LIMITS.filter,
    optional: true,
    example: 'ada',
  })
  search?: string;

  @IntegerParameter('Maximum number of users per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, of a request with the same parameters')
  cursor?: string;
}

/** Requires at least one field, which the service checks. */
export class UpdateUserDto extends PartialType(UpdateMeDto, { skipNullProperties: false }) {
  @EmailField('Email address; verified ones are unique per user, ignoring case', {
    ...LIMITS.email,
    optional: true,
    example: 'ada@acme.test',
  })
  email?: string;

  @ChoiceField('Personal plan', { values: USER_PLANS, name: 'UserPlan', optional: true, example: 'PRO' })
  plan?: UserPlan;
}

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
