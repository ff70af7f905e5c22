import { z } from 'zod';
import { LIMITS } from '../../contract/limits.js';
import { codePointLength, isLanguageCode, isStorable } from '../../platform/text.js';
import { parseTimestamp } from '../../platform/timestamps.js';
import { isUuid } from '../../platform/ids.js';
import { FEATURES, PLANS, SUBSCRIPTION_STATUSES, USER_PLANS } from '../../policy/plans.js';
import { RECORDING_STATUSES } from '../../policy/recording-status.js';
import { ROLES } from '../../policy/roles.js';

/** The workspace file, as described in `docs/workspace-file.md`. Unknown fields are errors. */

const storable = z.string().refine(isStorable, { error: 'must not contain NUL or unpaired surrogates' });

const text = (min: number, max: number) =>
  storable
    .transform((value) => value.trim())
    .refine((value) => codePointLength(value) >= min && codePointLength(value) <= max, {
      error: `must have ${min} to ${max} characters`,
    });

const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, {
    error: (issue) => `must be one of ${values.join(', ')}, not ${JSON.stringify(issue.input)}`,
  });

const email = storable
  .transform((value) => value.trim())
  .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value) && value.length <= LIMITS.email.max, {
    error: 'must be an e-mail address',
  });

const id = z
  .string()
  .refine(isUuid, { error: 'must be a UUID' })
  .transform((value) => value.toLowerCase());

const time = z.string().transform((value, context) => {
  const parsed = parseTimestamp(value);
  if (!parsed) {
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time, such as 2026-01-31T09:30:00Z' });
    return z.NEVER;
  }
  return parsed.date;
});

const features = z.strictObject(
  Object.fromEntries(FEATURES.map((feature) => [feature, z.boolean().default(true)])) as Record<
    (typeof FEATURES)[number],
    z.ZodDefault<z.ZodBoolean>
  >,
);

const apiKey = z.strictObject({
  name: text(LIMITS.apiKeyName.min, LIMITS.apiKeyName.max),
  key: z
    .string()
    .regex(/^mrs_[0-9A-Za-z]{20,60}$/, { error: 'must be mrs_ followed by 20 to 60 letters and digits' }),
  expiresAt: time.nullish(),
  revoked: z.boolean().default(false),
});

const user = z.strictObject({
  id: id.optional(),
  email,
  name: text(LIMITS.name.min, LIMITS.name.max),
  plan: choice(USER_PLANS).default('FREE'),
  apiKeys: z.array(apiKey).default([]),
});

const member = z.strictObject({
  email,
  role: choice(ROLES),
  features: features
    .extend({
      viewAllRecordings: z.boolean().default(false),
      viewFolderRecordings: z.boolean().default(true),
    })
    .prefault({}),
});

const folder = z.strictObject({
  id: id.optional(),
  name: text(LIMITS.name.min, LIMITS.name.max),
  active: z.boolean().default(true),
  restrictedTo: z.array(email).nullish(),
});

const organization = z.strictObject({
  id: id.optional(),
  name: text(LIMITS.name.min, LIMITS.name.max),
  plan: choice(PLANS).default('FREE'),
  subscription: z
    .strictObject({ status: choice(SUBSCRIPTION_STATUSES).default('active'), endsAt: time.nullish() })
    .prefault({}),
  features: features.prefault({}),
  members: z.array(member).default([]),
  folders: z.array(folder).default([]),
});

const recording = z
  .strictObject({
    id: id.optional(),
    owner: email,
    organization: z.string().nullish(),
    folder: z.string().nullish(),
    title: text(LIMITS.title.min, LIMITS.title.max),
    status: choice(RECORDING_STATUSES),
    progress: z.number().min(0).max(1).optional(),
    notes: storable
      .refine((value) => codePointLength(value) <= LIMITS.notes.max, {
        error: `must have at most ${LIMITS.notes.max} characters`,
      })
      .default(''),
    createdAt: time.optional(),
    startedAt: time.nullish(),
    endedAt: time.nullish(),
    media: z.string().min(1).nullish(),
    /** Transcribe it once it has been packaged. */
    transcribe: z.boolean().optional(),
    language: z
      .string()
      .refine(isLanguageCode, { error: 'must be a language code, such as en or pt-BR' })
      .nullish(),
    /** A path, or whatever `TranscriptFilesService` reads. */
    transcript: z.unknown().optional(),
    /** Whatever `SummaryContentService` reads. */
    summary: z.unknown().optional(),
  })
  .refine(({ startedAt, endedAt }) => !startedAt || !endedAt || endedAt >= startedAt, {
    path: ['endedAt'],
    error: 'must not be before startedAt',
  });

export const WORKSPACE_SCHEMA = z.strictObject({
  users: z.array(user).default([]),
  organizations: z.array(organization).default([]),
  recordings: z.array(recording).default([]),
});

export type Workspace = z.output<typeof WORKSPACE_SCHEMA>;
export type WorkspaceUser = Workspace['users'][number];
export type WorkspaceOrganization = Workspace['organizations'][number];
export type WorkspaceRecording = Workspace['recordings'][number];
