import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import {
  ChoiceField,
  EmailField,
  IdParameter,
  IntegerParameter,
  TextField,
} from '../../../platform/http/fields.js';
import { USER_PLANS, type UserPlan } from '../../../policy/plans.js';

const NAME = {
  ...LIMITS.name,
  trim: true,
  description: 'Display name, 1 to 200 characters after trimming',
  example: 'Ada Lovelace',
};

const PARAMETERS = {
  newOwner: IdParameter({
    optional: true,
    description:
      'Member of all their organizations who takes over their recordings there; defaults to the operator who deletes them where they are a member, and otherwise to an `OWNER` of each organization',
    example: EXAMPLE_IDS.member,
  }),
};

export class ListUsersDto {
  @TextField({
    min: 1,
    max: 500,
    optional: true,
    description: 'Partial match on name or email address, ignoring case',
    example: 'ada',
  })
  search?: string;

  @IntegerParameter({
    ...LIMITS.page,
    description: 'Maximum number of users per page',
    example: 20,
  })
  limit: number = LIMITS.page.default;

  @CursorParameter({
    description: '`next_cursor` of the previous page, of a request with the same parameters',
  })
  cursor?: string;
}

export class UpdateMeDto {
  @TextField(NAME)
  name: string;
}

/** At least one field is required; the service checks this. */
export class UpdateUserDto {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @EmailField({
    ...LIMITS.email,
    optional: true,
    description: 'Email address; verified ones are unique per user, ignoring case',
    example: 'ada@acme.test',
  })
  email?: string;

  @ChoiceField({
    values: USER_PLANS,
    name: 'UserPlan',
    optional: true,
    description: 'Personal plan',
    example: 'PRO',
  })
  plan?: UserPlan;
}

export class DeleteUserDto {
  @PARAMETERS.newOwner
  new_owner?: string;
}
