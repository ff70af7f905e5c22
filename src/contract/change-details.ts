import { z } from '../lib/zod.js';

/** The parts of what a change says besides who, when and which, and examples of them: never content, never a secret. */

export const id = z.uuid().nullable();
const flag = z.boolean();
const time = z.iso.datetime({ offset: true }).nullable();
export const NONE = z.strictObject({});

export const before = <T extends z.ZodType>(state: T) => z.strictObject({ before: state });
export const after = <T extends z.ZodType>(state: T) => z.strictObject({ after: state });
export const both = <T extends z.ZodType>(state: T) => z.strictObject({ before: state, after: state });

export const STATUS = z.strictObject({ status: z.string() });
export const STATUS_CHANGE = both(STATUS);
const FEATURES = {
  downloads: flag,
  sharing: flag,
  transcription: flag,
  summaries: flag,
  questions: flag,
};
const FLAGS = z.strictObject(FEATURES);
export const ORGANIZATION_FLAGS = FLAGS.extend({ members_may_take_recordings: flag });
export const PLAN = { plan: z.string(), subscription_status: z.string(), subscription_ends_at: time };
export const RIGHTS = z.strictObject({
  role: z.string(),
  ...FEATURES,
  view_all_recordings: flag,
  view_folder_recordings: flag,
});
export const FOLDER = z.strictObject({ active: flag, restricted: flag });
export const LINK = z.strictObject({
  permission: z.string(),
  expires_at: time,
  has_password: flag,
  created_by: id,
});
export const PLACE = z.strictObject({ organization_id: id.optional(), folder_id: id.optional() });
export const USER = z.strictObject({ plan: z.string(), operator: flag });
export const FIELDS = z.array(z.string());
export const TRANSFER = z.strictObject({ from_user_id: id, to_user_id: id });
export const KEY = z.strictObject({ prefix: z.string() });
export const REPLACED_KEY = KEY.extend({ replaced_by: z.uuid() });
/** The webhooks that the member was responsible for, if any. */
export const DISABLED_WEBHOOKS = { disabled_webhooks: z.array(z.uuid()).optional() };
export const WEBHOOK = z.strictObject({ types: z.array(z.string()) });

export const FOLDER_ID = '019c1d6f-eb80-7f01-8f00-5eed0000f001';
export const API_KEY_ID = '019c416a-2000-7a03-8a00-5eed0000a003';
export const USER_ID = '019c416a-2000-7a02-8a00-5eed0000a002';
const ALL_ON = {
  downloads: true,
  sharing: true,
  transcription: true,
  summaries: true,
  questions: true,
};
export const ORGANIZATION_DEFAULTS = { ...ALL_ON, members_may_take_recordings: false };
export const EDITOR = { role: 'EDITOR', ...ALL_ON, view_all_recordings: false, view_folder_recordings: true };
export const VIEW_LINK = { permission: 'view', expires_at: null, has_password: false, created_by: USER_ID };
export const ENTERPRISE = { plan: 'ENTERPRISE', subscription_status: 'active', subscription_ends_at: null };
