import { IsNotEmpty, IsString, Matches } from 'class-validator';
import {
  LANGUAGE_RULE,
  MAX_LANGUAGE_CHARACTERS,
  readLanguage,
} from '../../../lib/language/language-codes.js';
import { OUTBOUND_URL_RULE } from '../../outbound/outbound-url.js';
import { asLine, hasAtMost } from '../../../lib/text.js';
import { fieldOf, requestField, type FieldOptions } from './request-field.js';
import { HasCodePoints, IsEmailAddress, IsLanguage, IsLine, IsStorable } from './validators.js';

/** A string of `min` to `max` Unicode code points; with `trim`, a name or another line, read as such (`asLine`). */
export function TextField(
  description: string,
  options: FieldOptions & { readonly min?: number; readonly max: number; readonly trim?: boolean },
): PropertyDecorator {
  const { min = 0, max, trim } = options;
  const length = min > 0 ? `${min} to ${max}` : `at most ${max}`;
  return requestField(description, options, {
    expects: `must be a string of ${length} characters${trim ? ', not counting leading and trailing whitespace, without control characters' : ', without NUL characters'}`,
    schema: { type: String, minLength: min, maxLength: max },
    ...(trim && { convert: asLine }),
    checks: (message) => [
      IsString(message),
      HasCodePoints(min, max, message),
      trim ? IsLine(message) : IsStorable(message),
    ],
  });
}

/** An audio or video media type, optionally with parameters: `video/webm;codecs=vp9`. */
export const MediaTypeField = fieldOf({
  expects: 'must be an audio or video media type, such as video/mp4',
  schema: { type: String, maxLength: 200 },
  checks: (message) => [
    HasCodePoints(0, 200, message),
    Matches(/^(audio|video)\/[\w.+-]+\s*(;[^\0]*)?$/i, message),
  ],
});

/** A language by its code or English name, read as a BCP 47 code, or `auto`. */
export const LanguageField = fieldOf({
  expects: LANGUAGE_RULE,
  schema: { type: String, maxLength: MAX_LANGUAGE_CHARACTERS },
  convert: (text) => readLanguage(text) ?? text,
  checks: (message) => [IsLanguage(message)],
});

/** An email address. */
export function EmailField(
  description: string,
  options: FieldOptions & { readonly max: number; readonly expects?: string },
): PropertyDecorator {
  const { max, expects = `must be an email address of at most ${max} characters` } = options;
  return requestField(description, options, {
    expects,
    schema: { type: String, maxLength: max },
    convert: asLine,
    checks: (message) => [IsEmailAddress(max, message)],
  });
}

/** A URL that the service is to connect to, in a body; remains a string. */
export function OutboundUrlField(
  description: string,
  options: FieldOptions & { readonly max: number; readonly min?: number },
): PropertyDecorator {
  const { min = 0, max } = options;
  return requestField(description, options, {
    expects: (value) =>
      typeof value === 'string'
        ? `must be a string of ${min} to ${max} characters, without NUL characters`
        : OUTBOUND_URL_RULE,
    schema: { type: String, minLength: min, maxLength: max },
    convert: asLine,
    accepts: { holds: (text, { readUrl }) => !hasAtMost(max, text) || readUrl(text) !== null },
    checks: (message) => [IsString(message), HasCodePoints(min, max, message), IsStorable(message)],
  });
}

/** An id to look up; one that is not a UUID is accepted and matches nothing. */
export const IdParameter = fieldOf({
  expects: 'must be a single id',
  schema: { type: String, minLength: 1 },
  checks: (message) => [IsString(message), IsNotEmpty(message), IsStorable(message)],
});
