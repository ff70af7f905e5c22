import { z } from '../../../lib/zod.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { LIMITS } from '../../../contract/limits.js';
import { asLine, isLine } from '../../../lib/text.js';
import {
  IntegerProperty,
  StringListProperty,
  EnumProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { Segment } from '../public/transcript-page.dto.js';
import { ApiSchema } from '@nestjs/swagger';
import { ContentRevisionItem, revisionFields } from '../../pipeline/public/content-revision.response.dto.js';
import {
  REVISION_CAUSES,
  type RevisionCause,
  type TranscriptRevision,
} from '../entities/transcript-revision.entity.js';
import { present } from '../../../contract/present.js';
import { countText } from '../../../lib/amounts.js';

const label = z
  .string({ error: 'must be a string' })
  .transform((value) => (/[\r\n]/.test(value.trim()) ? '' : asLine(value)))
  .refine((value) => isLine(value, { min: 1, max: LIMITS.speaker.max }), {
    error: `must be a label of 1 to ${LIMITS.speaker.max} characters on one line`,
  });

const NOT_A_RENAME = 'must be an object with from and to, or a list of such objects';
const NOT_A_RANGE = 'must be an object with first and last';

/** The largest integer that generated clients take in 32 bits; no transcript is as long. */
const HIGHEST_ID = 2 ** 31 - 1;
const NOT_AN_ID = `must be the id of a segment, an integer of at least 0`;

const segmentId = z
  .int({ error: NOT_AN_ID })
  .min(0, { error: NOT_AN_ID })
  .max(HIGHEST_ID, { error: NOT_AN_ID });

const segments = z
  .strictObject(
    {
      first: segmentId.meta({ description: 'Id of the first segment', example: 12 }),
      last: segmentId.meta({ description: 'Id of the last segment, inclusive', example: 40 }),
    },
    { error: ({ code }) => (code === 'invalid_type' ? NOT_A_RANGE : undefined) },
  )
  .refine(({ first, last }) => first <= last, { path: ['last'], error: 'must not be less than first' })
  .meta({ description: 'Renames only segments of this range; without it, all segments' });

const rename = z.strictObject(
  {
    from: z.string({ error: 'must be a speaker label of the transcript, or empty' }).meta({
      description: 'The current label. Empty: the segments without a speaker',
      example: 'Ada',
    }),
    to: label.meta({ description: 'The new label', example: 'Ada Lovelace' }),
    segments: segments.optional(),
  },
  { error: ({ code }) => (code === 'invalid_type' ? NOT_A_RENAME : undefined) },
);

const renames = z
  .array(rename)
  .min(1, { error: 'must contain at least one rename' })
  .max(LIMITS.renames, { error: `must contain at most ${countText(LIMITS.renames)} renames` });

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

export const RENAME_SPEAKERS_BODIES = {
  one: { summary: 'One speaker', value: { from: 'Ada', to: 'Ada Lovelace' } },
  unnamed: { summary: 'The segments without a speaker', value: { from: '', to: 'Grace Hopper' } },
  range: {
    summary: 'A range of segments',
    value: { from: 'Speaker 1', to: 'Ada Lovelace', segments: { first: 12, last: 40 } },
  },
  swap: {
    summary: 'Two speakers whose labels were confused',
    value: [
      { from: 'Ada', to: 'Grace' },
      { from: 'Grace', to: 'Ada' },
    ],
  },
};

export class CorrectSegmentDto {
  @TextField('What was actually said', {
    ...LIMITS.segmentText,
    trim: true,
    example: 'Good morning, shall we begin?',
  })
  text: string;
}

export class RenamedSpeakers {
  @IntegerProperty('Revision of the transcript after the change', { example: 2 })
  revision: number;

  @StringListProperty('Speaker labels after the change', { example: ['Ada', 'Grace'] })
  speakers: string[];
}

export class CorrectedSegment extends Segment {
  @IntegerProperty('Revision of the transcript after the change', { example: 2 })
  revision: number;
}

@ApiSchema({ name: 'TranscriptRevision' })
export class RevisionItem extends ContentRevisionItem {
  @EnumProperty(
    'What wrote it: `import` of a file, `correction` of a segment, renaming of `speakers`, `transcription`, or `restore` of an earlier revision',
    { values: REVISION_CAUSES, name: 'RevisionCause', example: 'correction' },
  )
  cause: RevisionCause;

  @IntegerProperty('Number of segments', { example: 214 })
  segmentsCount: number;

  @TextProperty('Language code; null if not known', { example: 'en', nullable: true })
  language: string | null;
}

/** `index`: place in the list. */
export const presentRevision = (revision: TranscriptRevision, index: number): RevisionItem =>
  present(RevisionItem, revisionFields(revision, index === 0));
