import { applyDecorators } from '@nestjs/common';
import { parseTimestamp } from '../platform/clock/timestamps.js';
import { IntegerField } from '../platform/http/fields/number-fields.js';
import { Alongside } from '../platform/http/fields/request-field.js';
import { FutureTimeField } from '../platform/http/fields/time-fields.js';
import { LIMITS } from './limits.js';

/** When something expires, as a time or in seconds from now; null: never. */
export interface GivenExpiry {
  readonly expires_at?: string | null;
  readonly expires_in?: number | null;
}

/** `expires_at` of `what`, such as `the key`; null stands for never. */
export const ExpiresAtField = (what: string, nullable = false): PropertyDecorator =>
  applyDecorators(
    Alongside<GivenExpiry>(({ expires_in: seconds = null }) =>
      seconds === null ? null : 'must not be sent together with expires_in',
    ),
    FutureTimeField(`When ${what} expires; must be in the future${nullable ? '. Null: never' : ''}`, {
      optional: true,
      nullable,
      example: '2030-01-31T09:30:00Z',
    }),
  );

export const ExpiresInField = (what: string, nullable = false): PropertyDecorator =>
  IntegerField(`In place of \`expires_at\`: in how many seconds ${what} expires`, {
    ...LIMITS.expiresIn,
    unit: 'seconds',
    optional: true,
    nullable,
    example: 2_592_000,
  });

/** Undefined if neither is given. */
export function readExpiry({ expires_at, expires_in }: GivenExpiry, now: Date): Date | null | undefined {
  if (typeof expires_in === 'number') return new Date(now.getTime() + expires_in * 1000);
  if (typeof expires_at === 'string') return parseTimestamp(expires_at)?.date;
  return expires_at === undefined ? expires_in : expires_at;
}
