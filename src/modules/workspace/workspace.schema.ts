import { z } from '../../lib/zod.js';
import { ANY_API_KEY, API_KEY_RULE, apiKeyMistake } from '../../contract/api-key-format.js';
import { EXTERNAL_LIMITS, problemOfMetadata, type Metadata } from '../../contract/external-ids.js';
import { SCOPE_NAMES } from '../../contract/scopes.js';
import { LIMITS } from '../../contract/limits.js';
import { LANGUAGE_RULE, readLanguage } from '../../lib/language/language-codes.js';
import { withSuggestion } from '../../lib/nearest-name.js';
import { asLine, hasAtMost, isEmailAddress, isLine, isStorable, quoteForMessage } from '../../lib/text.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import { isUuid } from '../../platform/ids.js';
import { FEATURES, PLANS, SUBSCRIPTION_STATUSES, USER_PLANS } from '../../policy/plans.js';
import { RECORDING_STATUSES } from '../../policy/recording-status.js';
import { VIEW_FLAGS } from '../../policy/management.js';
import { ROLES } from '../../policy/roles.js';
import { countText, rangeText } from '../../lib/amounts.js';
import { GLOSSARY } from '../organizations/public/glossary.dto.js';

/**
 * The workspace file, as described in `docs/workspace-file.md`. Unknown fields are errors. A field that is left out
 * stays undefined, because only what the file says is compared with what exists; new entries get defaults.
 */

/** A string with one message for whatever is wrong with it; a missing one is said to be missing. */
const string = (error: string) =>
  z.string({ error: ({ input }) => (input === undefined ? undefined : error) });

const storable = (error: string) =>
  string(error).refine(isStorable, { error: 'must not contain NUL or unpaired surrogates', abort: true });

/** A name, or another text on one line. */
const line = (error: string) =>
  storable(error)
    .transform(asLine)
    .refine((value) => isLine(value), { error: 'must not contain control characters', abort: true });

const text = (min: number, max: number) => {
  const error = `must be text of ${rangeText({ min, max })} characters`;
  return line(error).refine((value) => isLine(value, { min, max }), { error });
};

const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, {
    error: ({ input }) =>
      input === undefined
        ? undefined
        : withSuggestion(
            `must be one of ${values.join(', ')}${typeof input === 'string' ? `, not ${quoteForMessage(input)}` : ''}`,
            input,
            values,
          ),
  });

const NOT_AN_EMAIL = `must be an e-mail address of at most ${LIMITS.email.max} characters`;

const email = line(NOT_AN_EMAIL).refine((value) => isEmailAddress(value, LIMITS.email.max), {
  error: NOT_AN_EMAIL,
});

const id = string('must be a UUID')
  .refine(isUuid, { error: 'must be a UUID' })
  .transform((value) => value.toLowerCase());

const NOT_A_TIME = 'must be an ISO 8601 time, such as 2026-01-31T09:30:00Z';

const time = string(NOT_A_TIME).transform((value, context) => {
  const parsed = parseTimestamp(value);
  if (!parsed) {
    context.addIssue({ code: 'custom', message: NOT_A_TIME });
    return z.NEVER;
  }
  return parsed.date;
});

const flagsOf = <const Names extends readonly string[]>(names: Names) =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, z.boolean().optional()])) as Record<
      Names[number],
      z.ZodOptional<z.ZodBoolean>
    >,
  );

const NOT_A_KEY = `must be ${API_KEY_RULE}`;

/** An id and texts of one's own. */
const external = {
  externalId: text(EXTERNAL_LIMITS.externalId.min, EXTERNAL_LIMITS.externalId.max).nullish(),
  metadata: z
    .custom<Metadata>((value) => problemOfMetadata(value) === null, {
      error: ({ input }) => problemOfMetadata(input) ?? undefined,
    })
    .optional(),
};

const apiKey = z.strictObject({
  name: text(LIMITS.apiKeyName.min, LIMITS.apiKeyName.max),
  key: string(NOT_A_KEY)
    .regex(ANY_API_KEY, { error: NOT_A_KEY, abort: true })
    .refine((key) => apiKeyMistake(key) === null, { error: 'is mistyped: its checksum does not match' }),
  scopes: z.array(choice(SCOPE_NAMES)).min(1).nullish(),
  expiresAt: time.nullish(),
  revoked: z.boolean().optional(),
});

const user = z.strictObject({
  id: id.optional(),
  email,
  name: text(LIMITS.name.min, LIMITS.name.max),
  plan: choice(USER_PLANS).optional(),
  ...external,
  apiKeys: z.array(apiKey).default([]),
});

const member = z.strictObject({
  email,
  role: choice(ROLES),
  features: flagsOf([...FEATURES, ...VIEW_FLAGS]).default({}),
});

const folder = z.strictObject({
  id: id.optional(),
  name: text(LIMITS.name.min, LIMITS.name.max),
  active: z.boolean().optional(),
  restrictedTo: z.array(email).nullish(),
  ...external,
});

const organization = z.strictObject({
  id: id.optional(),
  name: text(LIMITS.name.min, LIMITS.name.max),
  plan: choice(PLANS).optional(),
  subscription: z
    .strictObject({ status: choice(SUBSCRIPTION_STATUSES).optional(), endsAt: time.nullish() })
    .default({}),
  features: flagsOf(FEATURES).default({}),
  membersMayTakeRecordings: z.boolean().optional(),
  members: z.array(member).default([]),
  folders: z.array(folder).default([]),
  glossary: GLOSSARY.optional(),
  ...external,
});

const NOT_A_FRACTION = 'must be a number from 0 to 1';
const NOT_NOTES = `must be text of at most ${countText(LIMITS.notes.max)} characters`;
const NOT_A_NAME = 'must be a name';
const NOT_A_PATH = 'must be the path of a file';

const language = string(LANGUAGE_RULE)
  .transform(readLanguage)
  .refine((read) => read !== null, { error: LANGUAGE_RULE });

const recording = z
  .strictObject({
    id: id.optional(),
    /** Null if the user has been deleted. */
    owner: email.nullable(),
    organization: line(NOT_A_NAME).nullish(),
    folder: line(NOT_A_NAME).nullish(),
    title: text(LIMITS.title.min, LIMITS.title.max),
    ...external,
    status: choice(RECORDING_STATUSES),
    progress: z
      .number({ error: NOT_A_FRACTION })
      .min(0, { error: NOT_A_FRACTION })
      .max(1, { error: NOT_A_FRACTION })
      .optional(),
    notes: storable(NOT_NOTES)
      .refine((value) => hasAtMost(LIMITS.notes.max, value), { error: NOT_NOTES })
      .optional(),
    createdAt: time.optional(),
    startedAt: time.nullish(),
    endedAt: time.nullish(),
    media: string(NOT_A_PATH).min(1, { error: NOT_A_PATH }).nullish(),
    /** Transcribe it once it has been packaged. */
    transcribe: z.boolean().optional(),
    language: language.nullish(),
    /** A path, or whatever `readJsonValue` reads. */
    transcript: z.unknown().optional(),
    /** A path, or whatever `readSummary` reads. */
    summary: z.unknown().optional(),
  })
  .refine(({ startedAt, endedAt }) => !startedAt || !endedAt || endedAt >= startedAt, {
    path: ['endedAt'],
    error: 'must not be before startedAt',
  })
  .refine((given) => given.owner !== null || typeof given.organization === 'string', {
    path: ['owner'],
    error: 'is required for a personal recording',
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
export type WorkspaceFolder = WorkspaceOrganization['folders'][number];
