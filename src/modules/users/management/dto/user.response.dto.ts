import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  TimestampProperty,
} from '../../../../platform/openapi/field.decorator.js';
import { USER_PLANS, type UserPlan } from '../../../../policy/plans.js';
import { Person } from '../../public/person.dto.js';
import { present } from '../../../../contract/present.js';
import type { User } from '../../entities/user.entity.js';

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
