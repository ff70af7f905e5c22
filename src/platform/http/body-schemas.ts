import { z } from '../zod.js';
import { counted, hasAtMost, isEmailAddress, isStorable } from '../text.js';
import { parseTimestamp } from '../timestamps.js';

/** Parts of request bodies with lists or objects (`SchemaBody`), with messages that say what is accepted. */

const NOT_A_TIME = 'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z';

/** Text of `min` to `max` Unicode code points after trimming. */
export function trimmedText({ min, max }: { readonly min: number; readonly max: number }) {
  const error = `must be a string of ${min} to ${max} characters, not counting leading and trailing whitespace, without NUL characters`;
  return z
    .string({ error })
    .transform((value) => value.trim())
    .refine((value) => value.length >= min && hasAtMost(max, value) && isStorable(value), { error });
}

/** An email address, trimmed. */
export function emailAddress({ max }: { readonly max: number }) {
  const error = `must be an email address of at most ${max} characters`;
  return z
    .string({ error })
    .transform((value) => value.trim())
    .refine((value) => isEmailAddress(value, max), { error });
}

/** One of a list of values. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** An id to look up; one that is not a UUID matches nothing. */
export const lookupId = () =>
  z
    .string({ error: 'must be an id' })
    .refine((value) => value !== '' && hasAtMost(100, value) && isStorable(value), {
      error: 'must be an id',
    });

/** At most `max` different ids. */
export const lookupIds = (max: number, min = 0) =>
  z
    .array(lookupId(), { error: 'must be a list of ids' })
    .min(min, { error: `must contain at least ${counted(min, 'id')}` })
    .max(max, { error: `must contain at most ${counted(max, 'id')}` })
    .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);

export const trueOrFalse = () => z.boolean({ error: 'must be true or false' });

/** Any of the flags, each true or false; the others stay as they are. */
export function flags<const Names extends readonly string[]>(names: Names) {
  const flag = trueOrFalse().optional();
  const shape = Object.fromEntries(names.map((name) => [name, flag]));
  return z
    .strictObject(shape as Record<Names[number], typeof flag>, { error: objectOf(names) })
    .refine((given) => Object.keys(given).length > 0, {
      error: `must have at least one of ${names.join(', ')}`,
    });
}

/** For the `error` of a strict object: says which fields it takes, instead of a message of zod. */
export const objectOf =
  (names: readonly string[]) =>
  ({ code }: { readonly code?: string }): string | undefined =>
    code === 'invalid_type' || code === 'unrecognized_keys'
      ? `must be an object with only the fields ${names.join(', ')}`
      : undefined;

/** An ISO 8601 date or date-time. */
export const timestamp = () =>
  z.string({ error: NOT_A_TIME }).transform((value, context) => {
    const parsed = parseTimestamp(value);
    if (parsed) return parsed.date;
    context.addIssue({ code: 'custom', message: NOT_A_TIME });
    return z.NEVER;
  });
