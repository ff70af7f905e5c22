import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { USER_PLANS, type UserPlan } from '../../../policy/plans.js';
import type { Caller } from '../../../policy/caller.js';

export class KeyInUse {
  @IdProperty({ description: 'Identifier of the key' })
  id: string;

  @TextProperty({ description: 'Display name of the key', example: 'laptop' })
  name: string;

  @TextProperty({ description: 'First 12 characters of the key', example: 'mrs_3kTq9ZbW' })
  prefix: string;
}

export class Me {
  @IdProperty({ description: 'Identifier of the user' })
  id: string;

  @TextProperty({ description: 'E-mail address', example: 'ada@acme.test' })
  email: string;

  @TextProperty({ description: 'Display name', example: 'Ada' })
  name: string;

  @EnumProperty({
    values: USER_PLANS,
    name: 'UserPlan',
    description: "Personal plan; it counts for personal recordings, the organization's for its own",
    example: 'PRO',
  })
  plan: UserPlan;

  @NestedProperty(() => KeyInUse, { description: 'The API key that this request was made with' })
  api_key: KeyInUse;
}

export function presentMe(caller: Caller): Me {
  const { id, email, name, plan, apiKey } = caller;
  return { id, email, name, plan, api_key: { id: apiKey.id, name: apiKey.name, prefix: apiKey.prefix } };
}
