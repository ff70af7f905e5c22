import { z } from '../../lib/zod.js';

/** What a change says besides who, when and which, and an example: never content, never a secret. */
export interface Details {
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/** Details with named parts. */
export interface State extends Details {
  readonly schema: z.ZodObject;
  readonly example: object;
}

export const state = (shape: z.ZodRawShape, example: object): State => ({
  schema: z.strictObject(shape),
  example,
});

export const before = ({ schema, example }: State): State => state({ before: schema }, { before: example });
export const after = ({ schema, example }: State): State => state({ after: schema }, { after: example });

/** `from` and `to`: how the example differs from that of the state. */
export const both = ({ schema, example }: State, to: object, from: object = {}): State =>
  state({ before: schema, after: schema }, { before: { ...example, ...from }, after: { ...example, ...to } });

export const and = (one: State, other: State): State =>
  state({ ...one.schema.shape, ...other.schema.shape }, { ...one.example, ...other.example });

export const USER_ID = '019c416a-2000-7a02-8a00-5eed0000a002';
const FOLDER_ID = '019c1d6f-eb80-7f01-8f00-5eed0000f001';
const API_KEY_ID = '019c416a-2000-7a03-8a00-5eed0000a003';

const id = z.uuid().nullable();
const flag = z.boolean();
const time = z.iso.datetime({ offset: true }).nullable();
const word = z.string();
const fields = z.array(word);

const FEATURES = {
  downloads: flag,
  sharing: flag,
  transcription: flag,
  summaries: flag,
  questions: flag,
};
const ALL_ON = Object.fromEntries(Object.keys(FEATURES).map((name) => [name, true]));

export const NONE = state({}, {});
export const STATUS = state({ status: word }, { status: 'UPLOADING' });
export const fieldsOf = (field: string): State => state({ fields }, { fields: [field] });
export const ORGANIZATION_FLAGS = state(
  { ...FEATURES, members_may_take_recordings: flag },
  { ...ALL_ON, members_may_take_recordings: false },
);
export const PLAN = state(
  { plan: word, subscription_status: word, subscription_ends_at: time },
  { plan: 'ENTERPRISE', subscription_status: 'active', subscription_ends_at: null },
);
export const RIGHTS = state(
  { role: word, ...FEATURES, view_all_recordings: flag, view_folder_recordings: flag },
  { role: 'EDITOR', ...ALL_ON, view_all_recordings: false, view_folder_recordings: true },
);
export const FOLDER = state({ active: flag, restricted: flag }, { active: true, restricted: false });
export const FOLDER_EDITED = state({ fields: fields.optional() }, {});
export const LINK = state(
  { permission: word, tracks: flag.optional(), expires_at: time, has_password: flag, created_by: id },
  { permission: 'view', tracks: false, expires_at: null, has_password: false, created_by: USER_ID },
);
export const USER = state({ plan: word, operator: flag }, { plan: 'FREE', operator: false });
export const TRANSFER = state(
  { from_user_id: id, to_user_id: id },
  { from_user_id: USER_ID, to_user_id: USER_ID },
);
export const KEY = state({ prefix: word }, { prefix: 'mrs_4kQ9dZ2w' });
export const REPLACED_KEY = and(KEY, state({ replaced_by: z.uuid() }, { replaced_by: API_KEY_ID }));
/** The webhooks that the member was responsible for, if any. */
export const DISABLED_WEBHOOKS = state({ disabled_webhooks: z.array(z.uuid()).optional() }, {});
export const WEBHOOK = state({ types: fields }, { types: ['recording.*'] });
export const ERASED = state(
  { counts: z.record(word, z.int()), hash: word },
  {
    counts: { recordings_deleted: 1, recordings_changed: 3, segments: 41 },
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
);
export const EXPORT = after(state({ kind: word }, { kind: 'user' }));
export const NAMED = state({ name: word }, { name: 'CRM sync' });

export const OWNER_OR_STATUS: Details = {
  schema: z.union([
    z.strictObject({
      fields,
      before: z.strictObject({ owner_id: id }).optional(),
      after: z.strictObject({ owner_id: id }).optional(),
    }),
    both(STATUS, {}).schema,
  ]),
  example: { fields: ['title'] },
};

const PLACE = z.strictObject({ organization_id: id.optional(), folder_id: id.optional() });
export const MOVE = state(
  { before: PLACE.extend({ folder_access: word.nullable().optional() }), after: PLACE },
  { before: { folder_id: null, folder_access: null }, after: { folder_id: FOLDER_ID } },
);

export const REFUSED_SIGN_IN = state(
  { code: word, count: z.int(), way: word.optional(), provider: word.optional() },
  { code: 'INVALID_API_KEY', count: 3 },
);
export const WAY_IN = state({ way: word, provider: word.nullable() }, { way: 'provider', provider: 'acme' });
export const CLIENT = state(
  { client_id: word, client_name: word },
  { client_id: 'https://assistant.example/client.json', client_name: 'Assistant' },
);
export const REFUSED_OPERATION = state(
  { operation: word.nullable(), code: word, count: z.int() },
  { operation: 'updateMember', code: 'FORBIDDEN', count: 1 },
);
export const DISABLED_REASON = state(
  { reason: z.enum(['user', 'gone', 'failures', 'creator_left']) },
  { reason: 'failures' },
);
/** What retention rules remove of a recording. */
export const REMOVALS = ['media', 'transcript', 'original', 'all'] as const;
export type Removal = (typeof REMOVALS)[number];
/** `rule` is null for what leaves the bin. */
export const PURGE = state({ removes: z.enum(REMOVALS), rule: id }, { removes: 'all', rule: null });
export const DUE = and(PURGE, state({ at: time }, { at: '2026-04-30T10:00:00.000Z' }));
export const REVISION = state({ revision: z.int().optional() }, {});
export const caused = (cause: string): State =>
  state({ cause: word, revision: z.int() }, { cause, revision: 3 });

/** Those whom an event is for. */
export type Audience =
  /** Whoever sees the recording. */
  | 'recording'
  /** All members of the organization. */
  | 'members'
  /** Those who manage others in the organization: OWNER and ADMIN. */
  | 'managers'
  /** The user concerned; of a service account, also those who manage others in its organization. */
  | 'user';

export interface ChangeType {
  /** Null: in the audit log only. */
  readonly audience: Audience | null;
  /** The occasion on which it is written, to complete "Written when". */
  readonly when: string;
  /** The content of a row besides who, when and which: never texts, never a secret. */
  readonly details: z.ZodType;
  readonly example: unknown;
}

/** A type whose rows by default say nothing besides who, when and which. */
export const change = (
  audience: Audience | null,
  when: string,
  { schema, example }: Details = NONE,
): ChangeType => ({ audience, when, details: schema, example });

/** A type whose rows name the fields that have changed. */
export const edited = (audience: Audience, when: string, field: string): ChangeType =>
  change(audience, when, fieldsOf(field));
