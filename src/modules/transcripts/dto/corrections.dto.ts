import { z } from 'zod';
import { TextField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';
import { hasAtMost, isStorable } from '../../../platform/text.js';

const label = z
  .string({ error: 'must be text' })
  .transform((value) => value.trim())
  .refine(
    (value) =>
      isStorable(value) && !/[\r\n]/.test(value) && value !== '' && hasAtMost(LIMITS.speaker.max, value),
    { error: `must be a label of 1 to ${LIMITS.speaker.max} characters on one line` },
  );

const NO_RENAMING = 'must be an object with from and to, or a list of such';

const rename = z.strictObject(
  { from: z.string({ error: 'must be a speaker label of the transcript' }), to: label },
  { error: ({ code }) => (code === 'invalid_type' ? NO_RENAMING : undefined) },
);

const renames = z
  .array(rename)
  .min(1, { error: 'must hold at least one renaming' })
  .max(LIMITS.renames, { error: `must hold at most ${LIMITS.renames} renamings` });

/** One renaming, or a list of them. */
export const RENAME_SPEAKERS_BODY = z.union([rename, renames]);

/** Reads either as a list. Not the union itself, whose mistakes would not tell their place. */
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
    description: 'What was really said, 1 to 10,000 characters',
    example: 'Good morning, shall we begin?',
  })
  text: string;
}
