import { LIMITS } from '../../../contract/limits.js';
import { z } from '../../../lib/zod.js';

const id = (noun: string, tools: string) =>
  z
    .uuid({ error: `must be the id of ${noun}, as ${tools} returns it` })
    .describe(`Id of ${noun}, from ${tools}`);

/** Arguments that several tools take. */
export const RECORDING_ID = id('a recording', 'list_recordings or search_recordings');
export const ORGANIZATION_ID = id('an organization', 'list_organizations');
export const FOLDER_ID = id('a folder', 'list_folders');

/** Recordings of one organization, or of one of its folders. */
export const PLACE = {
  organization_id: ORGANIZATION_ID.describe('Only recordings of this organization').optional(),
  folder_id: FOLDER_ID.describe('Only recordings in this folder; needs organization_id').optional(),
};

export const text = (limits: { readonly min: number; readonly max: number }, what: string) =>
  z.string().trim().min(limits.min).max(limits.max).describe(what);

export const SPEAKER = text(
  LIMITS.speaker,
  'Only what speakers with this name said; part of the name is enough',
);

export const integer = (limits: { readonly min: number; readonly max: number; readonly default: number }) =>
  z.int().min(limits.min).max(limits.max).default(limits.default);

export const cursorOf = ({ max }: { readonly max: number }) =>
  z.string().max(max).optional().describe('next_cursor of the previous call, with the same other arguments');

/**
 * The arguments of a tool as they are meant: programs without types write numbers and booleans as text, and models fill
 * in what they leave out with null or empty text. What the schema then refuses is refused.
 */
export function asMeant({ shape }: z.ZodObject, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (!field) return [[name, value]];
      const isLeftOut = value === '' || (value === null && !z.safeParse(field, null).success);
      if (isLeftOut && z.safeParse(field, undefined).success) return [];
      return [[name, typeof value === 'string' ? (fromText(field, value.trim()) ?? value) : value]];
    }),
  );
}

function fromText(field: z.core.$ZodType, given: string): number | boolean | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable)
    return fromText(field.unwrap(), given);
  if (field instanceof z.ZodNumber && /^[+-]?\d+(?:\.\d+)?$/.test(given)) return Number(given);
  return field instanceof z.ZodBoolean && /^(?:true|false)$/i.test(given) ? /^t/i.test(given) : undefined;
}

const CALL = z.looseObject({
  method: z.string(),
  params: z.looseObject({ arguments: z.unknown().optional() }).nullable(),
});
const isBlank = (value: unknown): boolean => value === null || value === '';

/** A message without parameters, or arguments, that are null. Of prompts, whose arguments are text, also single ones. */
export function withoutNull(message: unknown): unknown {
  const call = CALL.safeParse(message).data;
  if (!call) return message;
  const { params, ...rest } = call;
  if (params === null) return rest;
  const { arguments: given, ...others } = params;
  if (isBlank(given)) return { ...rest, params: others };
  if (call.method !== 'prompts/get' || typeof given !== 'object') return message;
  const entries = Object.entries(given ?? {}).filter(([, value]) => !isBlank(value));
  return { ...rest, params: { ...others, arguments: Object.fromEntries(entries) } };
}
