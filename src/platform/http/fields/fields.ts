import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  Equals,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import {
  LANGUAGE_RULE,
  MAX_LANGUAGE_CHARACTERS,
  readLanguage,
} from '../../../lib/language/language-codes.js';
import { OUTBOUND_URL_RULE } from '../../outbound/outbound-url.js';
import { choiceOf } from '../../errors/decorator-error.js';
import { parseTimestamp } from '../../clock/timestamps.js';
import { counted, hasAtMost, isStorable } from '../../../lib/text.js';
import { accepts, requestField, type FieldOptions } from './request-field.js';
import { HasCodePoints, IsEmailAddress, IsLanguage, IsStorable, IsTimestamp } from './validators.js';

/*
 * The catalog of request fields. A single decorator defines the checks, their error message, the conversion, and the
 * schema in the API document. A DTO built from these rejects any field it does not declare.
 */

/** A string of `min` to `max` Unicode code points, trimmed first if `trim` is set. */
export function TextField(
  description: string,
  options: FieldOptions & { readonly min?: number; readonly max: number; readonly trim?: boolean },
): PropertyDecorator {
  const { min = 0, max, trim } = options;
  const length = min > 0 ? `${min} to ${max}` : `at most ${max}`;
  const field = requestField({
    description,
    ...options,
    expects: `must be a string of ${length} characters${trim ? ', not counting leading and trailing whitespace' : ''}, without NUL characters`,
    schema: { type: String, minLength: min, maxLength: max },
    checks: (message) => [IsString(message), HasCodePoints(min, max, message), IsStorable(message)],
  });
  return trim ? applyDecorators(Trimmed(), field) : field;
}

const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** One of a fixed list of values. */
export function ChoiceField(
  description: string,
  options: FieldOptions & {
    readonly values: readonly string[];
    readonly name?: string;
    readonly default?: string;
  },
): PropertyDecorator {
  const { values, name } = options;
  return choiceOf(values, () =>
    requestField({
      description,
      ...options,
      expects: `must be one of ${values.join(', ')}`,
      schema: {
        enum: [...values],
        ...(name ? { enumName: name } : {}),
        default: options.default,
      } as ApiPropertyOptions,
      checks: (message) => [IsIn(values, message)],
    }),
  );
}

/** One or more of a fixed list of values, separated by commas, in a query string; a list without repetitions. */
export function ChoicesParameter(
  description: string,
  options: FieldOptions & { readonly values: readonly string[]; readonly name: string },
): PropertyDecorator {
  const { values, name } = options;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? [...new Set(value.split(','))] : value,
    ),
    choiceOf(values, () =>
      requestField({
        description,
        ...options,
        expects: `must be one or more of ${values.join(', ')}, separated by commas`,
        schema: {
          isArray: true,
          enum: [...values],
          enumName: name,
          style: 'form',
          explode: false,
        } as ApiPropertyOptions,
        checks: (message) => [IsIn(values, { ...message, each: true })],
      }),
    ),
  );
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** `true` or `false` in a query string. */
export function BooleanParameter(
  description: string,
  options: FieldOptions & { readonly default: boolean },
): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => BOOLEANS.get(value) ?? value),
    requestField({
      description,
      ...options,
      optional: true,
      expects: 'must be one of true, false',
      schema: { type: Boolean, default: options.default },
      checks: (message) => [IsBoolean(message)],
    }),
  );
}

interface IntegerOptions extends FieldOptions {
  readonly min: number;
  readonly max?: number;
}

/** An integer in a query string. */
export function IntegerParameter(
  description: string,
  options: IntegerOptions & { readonly default?: number },
): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    integerField(
      description,
      { ...options, optional: true },
      options.default === undefined ? {} : { default: options.default },
    ),
  );
}

/** An integer in a body. */
export function IntegerField(description: string, options: IntegerOptions): PropertyDecorator {
  return integerField(description, options, {});
}

function integerField(
  description: string,
  options: IntegerOptions,
  schema: ApiPropertyOptions,
): PropertyDecorator {
  const { min, max = Number.MAX_SAFE_INTEGER } = options;
  return requestField({
    description,
    ...options,
    expects: `must be an integer ${rangeOf(options)}`,
    schema: { type: 'integer', minimum: min, maximum: max, ...schema } as ApiPropertyOptions,
    checks: (message) => [IsInt(message), Min(min, message), Max(max, message)],
  });
}

/** A number in a body, possibly with a fraction, such as seconds. */
export function DecimalField(
  description: string,
  options: FieldOptions & { readonly min: number; readonly max?: number },
): PropertyDecorator {
  const { min, max } = options;
  return requestField({
    description,
    ...options,
    expects: `must be a number ${rangeOf(options)}`,
    schema: { type: Number, minimum: min, ...(max === undefined ? {} : { maximum: max }) },
    checks: (message) => [
      // JSON has no Infinity, but 1e999 parses to it.
      IsNumber({ allowInfinity: false, allowNaN: false }, message),
      Min(min, message),
      ...(max === undefined ? [] : [Max(max, message)]),
    ],
  });
}

const rangeOf = ({ min, max }: { readonly min: number; readonly max?: number }): string =>
  max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;

/** An audio or video media type, optionally with parameters: `video/webm;codecs=vp9`. */
export function MediaTypeField(description: string, options: FieldOptions): PropertyDecorator {
  return requestField({
    description,
    ...options,
    expects: 'must be an audio or video media type, such as video/mp4',
    schema: { type: String, maxLength: 200 },
    checks: (message) => [
      HasCodePoints(0, 200, message),
      Matches(/^(audio|video)\/[\w.+-]+\s*(;[^\0]*)?$/i, message),
    ],
  });
}

/** A language by its code or English name, read as a BCP 47 code, or `auto`. */
export function LanguageField(description: string, options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (readLanguage(value) ?? value) : value,
    ),
    requestField({
      description,
      ...options,
      expects: LANGUAGE_RULE,
      schema: { type: String, maxLength: MAX_LANGUAGE_CHARACTERS },
      checks: (message) => [IsLanguage(message)],
    }),
  );
}

/** An email address, trimmed. */
export function EmailField(
  description: string,
  options: FieldOptions & { readonly max: number },
): PropertyDecorator {
  const { max } = options;
  return applyDecorators(
    Trimmed(),
    requestField({
      description,
      ...options,
      expects: `must be an email address of at most ${max} characters`,
      schema: { type: String, maxLength: max },
      checks: (message) => [IsEmailAddress(max, message)],
    }),
  );
}

/** A boolean in a body. */
export function BooleanField(description: string, options: FieldOptions): PropertyDecorator {
  return requestField({
    description,
    ...options,
    expects: 'must be true or false',
    schema: { type: Boolean },
    checks: (message) => [IsBoolean(message)],
  });
}

/** Requests an action; there is no meaning for false, so it is rejected. */
export function TrueField(description: string, options: FieldOptions): PropertyDecorator {
  return requestField({
    description,
    ...options,
    expects: 'must be true',
    schema: { type: Boolean, enum: [true] },
    checks: (message) => [Equals(true, message)],
  });
}

const PLUS_IS_BLANK =
  'it has a blank where the + of the offset should be: in a URL, + means a blank, and has to be sent as %2B';

const TIMESTAMP_RULE = 'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z';

/** An ISO 8601 date or date-time; remains a string, see `parseTimestamp`. */
export function TimestampField(description: string, options: FieldOptions): PropertyDecorator {
  return requestField({
    description,
    ...options,
    expects: TIMESTAMP_RULE,
    schema: { type: String },
    cause: (value) => (isTimestampWithBlank(value) ? PLUS_IS_BLANK : null),
    checks: (message) => [IsTimestamp(message)],
  });
}

/** An ISO 8601 date or date-time in the future, in a body; remains a string. */
export function FutureTimeField(description: string, options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    accepts({
      holds: (text, { now }) => {
        const time = parseTimestamp(text);
        return time === null || time.date > now();
      },
    }),
    requestField({
      description,
      ...options,
      expects: (value) =>
        typeof value === 'symbol' ? 'must be an ISO 8601 time in the future' : TIMESTAMP_RULE,
      schema: { type: String },
      checks: (message) => [IsTimestamp(message)],
    }),
  );
}

/** A URL that the service is to connect to, in a body; remains a string. */
export function OutboundUrlField(
  description: string,
  options: FieldOptions & { readonly max: number; readonly min?: number },
): PropertyDecorator {
  const { min = 0, max } = options;
  const url = requestField({
    description,
    ...options,
    expects: (value) =>
      typeof value === 'string'
        ? `must be a string of ${min} to ${max} characters, without NUL characters`
        : OUTBOUND_URL_RULE,
    schema: { type: String, minLength: min, maxLength: max },
    checks: (message) => [IsString(message), HasCodePoints(min, max, message), IsStorable(message)],
  });
  return applyDecorators(
    accepts({ holds: (text, { readUrl }) => !hasAtMost(max, text) || readUrl(text) !== null }),
    Trimmed(),
    url,
  );
}

/** An id to look up; one that is not a UUID is accepted and matches nothing. */
export function IdParameter(description: string, options: FieldOptions): PropertyDecorator {
  return requestField({
    description,
    ...options,
    expects: 'must be a single id',
    schema: { type: String, minLength: 1 },
    checks: (message) => [IsString(message), IsNotEmpty(message), IsStorable(message)],
  });
}

/** A list of text; repetitions are dropped. */
export function ListField(
  description: string,
  options: FieldOptions & {
    readonly min?: number;
    readonly max: number;
    readonly isItem: (item: unknown) => boolean;
    /** What is wrong with an item. */
    readonly item: string;
    /** What is accepted, or is wrong with a list of this length. */
    readonly expects: (length?: number) => string;
    readonly read?: (item: string) => string;
  },
): PropertyDecorator {
  const { min = 0, max, isItem, item, expects, read = (text: string) => text } = options;
  const problemOf = (value: unknown): string | null => {
    if (!Array.isArray(value)) return expects();
    if (value.length < min || value.length > max) return expects(value.length);
    const wrong = value.findIndex((one) => !isItem(one));
    return wrong < 0 ? null : `[${wrong}]: ${item}`;
  };
  return applyDecorators(
    accepts({ list: max }),
    Transform(({ value }: { value: unknown }) =>
      problemOf(value) === null ? [...new Set((value as string[]).map(read))] : value,
    ),
    requestField({
      description,
      ...options,
      expects: (value) => problemOf(value) ?? expects(),
      schema: { type: [String], minItems: min, maxItems: max },
      checks: (message) => [
        ValidateBy(
          { name: 'isList', validator: { validate: (value) => problemOf(value) === null } },
          message,
        ),
      ],
    }),
  );
}

const MAX_ID_CHARACTERS = 100;

/** Ids to look up, without repetitions; one that is not a UUID matches nothing. */
export function IdsField(
  description: string,
  options: FieldOptions & { readonly min?: number; readonly max: number },
): PropertyDecorator {
  const { min = 0, max } = options;
  return ListField(description, {
    ...options,
    isItem: (id) => typeof id === 'string' && id !== '' && hasAtMost(MAX_ID_CHARACTERS, id) && isStorable(id),
    item: 'must be an id',
    expects: (length) => {
      if (length === undefined) return 'must be a list of ids';
      return `must contain ${length < min ? `at least ${counted(min, 'id')}` : `at most ${counted(max, 'id')}`}`;
    },
    read: (id) => id.toLowerCase(),
  });
}

/** An object with the fields of another DTO. */
export function NestedField(
  of: () => new () => object,
  description: string,
  options: Omit<FieldOptions, 'example'> = {},
): PropertyDecorator {
  return applyDecorators(
    accepts({ nested: of }),
    Type(of),
    ValidateNested(),
    requestField({
      description,
      ...options,
      expects: 'must be an object',
      schema: { type: () => of() } as ApiPropertyOptions,
      checks: (message) => [IsObject(message)],
    }),
  );
}

/** Such as `2026-01-31T09:30:00+01:00` whose `+` was not encoded. */
const isTimestampWithBlank = (value: unknown): boolean =>
  typeof value === 'string' && parseTimestamp(value.replace(/ (?=\d\d:?\d\d$)/, '+')) !== null;
