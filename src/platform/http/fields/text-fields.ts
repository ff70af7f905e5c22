import {
  LANGUAGE_RULE,
  MAX_LANGUAGE_CHARACTERS,
  readLanguage,
} from '../../../lib/language/language-codes.js';
import { OUTBOUND_URL_RULE } from '../../outbound/outbound-url.js';
import { asLine, codePointLength, hasAtMost, isEmailAddress, isLine, isStorable } from '../../../lib/text.js';
import {
  fieldOf,
  type FieldOptions,
  type FieldRule,
  ofText,
  requestField,
  withLimit,
} from './request-field.js';
import { rangeText } from '../../../lib/amounts.js';

/** Unicode code points are the unit of the contract and of the columns, of which each is one or two UTF-16 units. */
const hasLength = (text: string, min: number, max: number): boolean =>
  text.length >= min && hasAtMost(max, text) && (min <= 1 || codePointLength(text) >= min);

interface TextOptions extends FieldOptions {
  readonly min?: number;
  readonly max: number;
  /** A name or another line, read as such (`asLine`). */
  readonly trim?: boolean;
}

/** A string of `min` to `max` Unicode code points in a body; its description also says this. */
export const TextField = (description: string, options: TextOptions): PropertyDecorator =>
  requestField(withLimit(description, lengthOf(options)), options, textRule(options));

/** The same in a query string: something to look for, or a cursor, of which nobody needs to know how long it may be. */
export const TextParameter = (description: string, options: TextOptions): PropertyDecorator =>
  requestField(description, options, textRule(options));

const lengthOf = ({ trim, ...range }: TextOptions): string =>
  `${rangeText(range)} characters${trim ? ' after trimming' : ''}`;

function textRule(options: TextOptions): FieldRule {
  const { min = 0, max, trim } = options;
  return {
    expects: `must be a string of ${lengthOf(options)}, without ${trim ? 'control' : 'NUL'} characters`,
    schema: { type: String, minLength: min, maxLength: max },
    ...(trim && { convert: asLine }),
    holds: ofText((text) => hasLength(text, min, max) && (trim ? isLine(text) : isStorable(text))),
  };
}

/** An audio or video media type, optionally with parameters: `video/webm;codecs=vp9`. */
export const MediaTypeField = fieldOf({
  expects: 'must be an audio or video media type, such as video/mp4',
  schema: { type: String, maxLength: 200 },
  holds: ofText((text) => hasAtMost(200, text) && /^(audio|video)\/[\w.+-]+\s*(;[^\0]*)?$/i.test(text)),
});

/** A color as `#rrggbb`, read in lower case. */
export const ColorField = fieldOf({
  expects: 'must be a color as # and six hexadecimal digits, such as #7a1fa2',
  schema: { type: String, pattern: '^#[0-9A-Fa-f]{6}$' },
  convert: (text) => text.toLowerCase(),
  holds: ofText((text) => /^#[\da-f]{6}$/.test(text)),
});

/** A language by its code or English name, read as a BCP 47 code, or `auto`. */
export const LanguageField = fieldOf({
  expects: LANGUAGE_RULE,
  schema: { type: String, maxLength: MAX_LANGUAGE_CHARACTERS },
  convert: (text) => readLanguage(text) ?? text,
  holds: ofText((text) => readLanguage(text) !== null),
});

export function EmailField(
  description: string,
  options: FieldOptions & { readonly max: number; readonly expects?: string },
): PropertyDecorator {
  const { max, expects = `must be an email address of at most ${max} characters` } = options;
  return requestField(description, options, {
    expects,
    schema: { type: String, maxLength: max },
    convert: asLine,
    holds: (value) => isEmailAddress(value, max),
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
        ? `must be a string of ${rangeText(options)} characters, without NUL characters`
        : OUTBOUND_URL_RULE,
    schema: { type: String, minLength: min, maxLength: max },
    convert: asLine,
    accepts: { holds: (text, { readUrl }) => !hasAtMost(max, text) || readUrl(text) !== null },
    holds: ofText((text) => hasLength(text, min, max) && isStorable(text)),
  });
}

/** An id to look up; one that is not a UUID is accepted and matches nothing. */
export const IdParameter = fieldOf({
  expects: 'must be a single id',
  schema: { type: String, minLength: 1 },
  holds: ofText((text) => text !== '' && isStorable(text)),
});
