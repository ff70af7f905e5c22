import { BooleanProperty } from '../../../platform/openapi/field.decorator.js';

/** Documents `email_verified` wherever users are presented. */
export const EmailVerifiedProperty = (): PropertyDecorator =>
  BooleanProperty(
    'Whether the address is known to belong to the user: the host or an operator has set it, or an invitation was emailed to it. Any number of users can have the same address without this',
    { example: true },
  );
