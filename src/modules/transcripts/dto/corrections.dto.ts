import { z } from 'zod';
import { TextField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';
import { hasAtMost, isStorable } from '../../../platform/text.js';

const label = z
  .string({ error: 'must be a string' })
  .transform((value) => value.trim())
  .refine(
    (value) =>
      isStorable(value) && !/[\r\n]/.test(value) && value !== '' && hasAtMost(LIMITS.speaker.max, value),
    { error: `must be a label of 1 to ${LIMITS.speaker.max} characters on one line` },
  );

const NOT_A_RENAME = 'must be an object with from and to, or a list of such objects';

const rename = z.strictObject(
  { from: z.string({ error: 'must be a speaker label of the transcript' }), to: label },
  { error: ({ code }) => (code === 'invalid_type' ? NOT_A_RENAME : undefined) },
);

const renames = z
  .array(rename)
  .min(1, { error: 'must contain at least one rename' })
  .max(LIMITS.renames, { error: `must contain at most ${LIMITS.renames} renames` });

/** One rename, or a list of renames. */
export const RENAME_SPEAKERS_BODY = z.union([rename, renames]).meta({ title: 'RenameSpeakersRequest' });

/** Parses either form as a list. Does not use a union schema, whose errors do not name the field. */
export const RENAME_SPEAKERS = z.unknown().transform((value, context): z.output<typeof renames> => {
  const parsed = (Array.isArray(value) ? renames : rename).safeParse(value);
  if (parsed.success) return [parsed.data].flat();
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});
export type RenameSpeakers = z.output<typeof RENAME_SPEAKERS>;

export class CorrectSegmentDto {
  @TextField({
    ...LIMITS.segmentText,
    trim: true,
    description: 'What was actually said, 1 to 10,000 characters',
    example: 'Good morning, shall we begin?',
  })
  text: string;
}
