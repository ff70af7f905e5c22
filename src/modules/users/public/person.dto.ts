import { BooleanProperty, IdProperty, TextProperty } from '../../../platform/openapi/field.decorator.js';
import { present } from '../../../contract/present.js';
import type { User } from '../entities/user.entity.js';

/** What is shown of a user wherever users are. */
export class Person {
  @IdProperty('Identifier of the user')
  id: string;

  @TextProperty('Email address', { example: 'ada@acme.test' })
  email: string;

  @BooleanProperty(
    'Whether the address is known to belong to the user: an operator has set it, or an invitation was emailed to it. Several users can have the same unverified address',
    { example: true },
  )
  email_verified: boolean;

  @TextProperty('Display name', { example: 'Ada' })
  name: string;
}

export const presentPerson = (user: Pick<User, 'id' | 'email' | 'emailVerified' | 'name'>): Person =>
  present(Person, user);
