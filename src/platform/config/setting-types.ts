/** The kinds of values that settings have: how each is checked and read. */
import { isIP } from 'node:net';
import { mistakeInPostgresUrl } from '../../lib/postgres-url.js';
import { z } from '../../lib/zod.js';
import { readOutboundUrl } from '../outbound/outbound-url.js';
import { LANGUAGE_RULE, readLanguage } from '../../lib/language/language-codes.js';

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

/** The URL of a database. */
export const postgresUrl = () =>
  z.string().superRefine((text, { addIssue }) => {
    const message = mistakeInPostgresUrl(text);
    if (message) addIssue({ code: 'custom', message });
  });

/** A URL that the service sends to; unlike those of callers, it may be one of the own network. */
export const operatorUrl = () =>
  z.string().refine((text) => readOutboundUrl(text, true) !== null, {
    error:
      'must be an https URL, or an http URL of a private address, without user name and password, on port 80, 443 or one from 1024 up',
  });

/** What a header can have as a token. */
export const headerToken = () =>
  z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be visible ASCII characters without spaces' });

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

/** At least. */
export const SECRET_CHARACTERS = 32;

/** Marks a setting as a secret: it is never shown, and `NAME_FILE` can name a file with it. */
export const hidden = <Type extends z.ZodType>(type: Type): Type => type.meta({ secret: true });

export const secret = () =>
  hidden(
    z
      .string()
      .min(SECRET_CHARACTERS, { error: `must be at least ${SECRET_CHARACTERS} characters long` })
      .optional(),
  );

/** Addresses and address ranges, separated by commas; `none` for an empty list. */
export const addresses = () =>
  z
    .string()
    .transform((text) => (text === 'none' ? [] : text.split(',').map((range) => range.trim())))
    .refine((list) => list.every((range) => RANGES.includes(range) || isAddressRange(range)), {
      error: `must be none, or a comma-separated list of addresses such as 10.0.0.7 or 10.0.0.0/8 and of ${RANGES.join(', ')}`,
    })
    .optional();

/** `0`: no limit. */
export const limit = (max: number, preset: number) => wholeNumber(0, max).default(preset);

export const language = () =>
  z
    .string()
    .transform(readLanguage)
    .refine((read) => read !== null, { error: LANGUAGE_RULE });
