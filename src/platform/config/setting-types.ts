/** The kinds of values that settings have: how each is checked and read. */
import { isIP } from 'node:net';
import { z } from '../../lib/zod.js';
import { LANGUAGE_RULE, readLanguage } from '../../lib/language/language-codes.js';
import type { BudgetDefinition } from './budgets.js';

const TRUE = 'true';
const FALSE = 'false';

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be an integer from ${min} to ${max}`,
    })
    .transform(Number);

export const httpUrl = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Origins, separated by commas; `*` for all. */
export const origins = () =>
  z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine((list) => list.every((origin) => origin === '*' || isOrigin(origin)), {
      error: 'must be a comma-separated list of origins such as https://app.example.com, or *',
    })
    .optional();

export const flag = () =>
  z.enum([TRUE, FALSE], { error: 'must be true or false' }).transform((text) => text === TRUE);

/** Names of address ranges that Express knows. */
const RANGES = ['loopback', 'linklocal', 'uniquelocal'];

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (bits === undefined) return version !== 0;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : version && 128);
}

export const secret = () => z.string().min(32, { error: 'must be at least 32 characters long' }).optional();

/** Addresses and address ranges, separated by commas; `none` for an empty list. */
export const addresses = () =>
  z
    .string()
    .transform((text) => (text === 'none' ? [] : text.split(',').map((range) => range.trim())))
    .refine((list) => list.every((range) => RANGES.includes(range) || isAddressRange(range)), {
      error: `must be none, or a comma-separated list of addresses such as 10.0.0.7 or 10.0.0.0/8 and of ${RANGES.join(', ')}`,
    })
    .optional();

export const perMinute = ({ perMinute: preset, counts }: BudgetDefinition) =>
  wholeNumber(0, 1_000_000)
    .default(preset)
    .meta({ description: `Maximum per minute: ${counts}. \`0\`: no limit.` });

export const language = () =>
  z
    .string()
    .transform(readLanguage)
    .refine((read) => read !== null, { error: LANGUAGE_RULE });

/** A limit of a plan. Settings of one kind differ only in plan and default. */
const quota = (limit: number, description: string) =>
  wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(limit)
    .meta({ description: `${description} \`0\`: no limit.` });
export const storedBytes = (plan: string, limit: number) =>
  quota(limit, `Maximum total size of recordings on ${plan}, in bytes.`);
export const recordings = (plan: string, limit: number) =>
  quota(limit, `Maximum number of recordings on ${plan}.`);
export const uploadsPerDay = (plan: string, limit: number) =>
  quota(limit, `Maximum number of uploads started per day (UTC) on ${plan}.`);
