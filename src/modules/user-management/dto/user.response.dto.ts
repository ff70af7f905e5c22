import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { USER_PLANS, type UserPlan } from '../../../policy/plans.js';
import { EmailVerifiedProperty } from '../../users/dto/email-verified.property.js';
import type { User } from '../../users/entities/user.entity.js';

@ApiSchema({ name: 'User' })
export class PresentedUser {
  @IdProperty('Identifier of the user')
  id: string;

  @TextProperty('Email address', { example: 'ada@acme.test' })
  email: string;

  @EmailVerifiedProperty()
  email_verified: boolean;

  @TextProperty('Display name', { example: 'Ada' })
  name: string;

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

export function presentUser(user: User): PresentedUser {
  const { id, email, emailVerified, name, plan, operator, createdAt } = user;
  return {
    id,
    email,
    email_verified: emailVerified,
    name,
    plan,
    is_operator: operator,
    created_at: createdAt.toISOString(),
  };
}
