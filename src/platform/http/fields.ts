import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';
import { codePointLength, hasAtMost, isLanguageCode, isStorable } from '../text.js';
import { parseTimestamp } from '../timestamps.js';

/**
 * Fields of requests. One decorator says it all: the check, the message of a failed check, the conversion, and the
 * schema in the API document. A DTO made of these refuses every field it does not name.
 */
export interface RequestField {
  /** What the field takes, as told to whoever sent something else: "must be ...". */
  readonly expects: string;
  /** What becomes of a value as it was sent. */
  readonly convert: (value: unknown) => unknown;
}

const FIELDS = new WeakMap<object, Map<string, RequestField>>();

/** The fields of a request DTO by name. */
export function requestFields(dto: { readonly prototype: object }): ReadonlyMap<string, RequestField> {
  return FIELDS.get(dto.prototype) ?? new Map<string, RequestField>();
}

interface FieldOptions {
  readonly description: string;
  readonly example: string | number | boolean;
  readonly optional?: boolean;
  /** Takes null too. */
  readonly nullable?: boolean;
}

interface FieldRule extends FieldOptions {
  readonly expects: string;
  readonly schema: ApiPropertyOptions;
  readonly convert?: (value: unknown) => unknown;
  readonly check: (value: unknown) => boolean;
}

function requestField(rule: FieldRule): PropertyDecorator {
  return (target, key) => {
    const fields = FIELDS.get(target) ?? new Map<string, RequestField>();
    const { description, example, optional, nullable, schema, convert = (value) => value } = rule;
    const expects = nullable ? `${rule.expects}, or null` : rule.expects;
    FIELDS.set(target, fields.set(String(key), { expects, convert }));
    ApiProperty({
      description,
      example,
      required: !optional,
      ...(nullable ? { nullable } : {}),
      ...schema,
    } as ApiPropertyOptions)(target, key);
    // Not `IsOptional`, which lets null through wherever a field may be left out.
    if (optional) ValidateIf((_, value) => value !== undefined)(target, key);
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value) => (nullable && value === null) || rule.check(value),
        defaultMessage: () => `${String(key)}: ${expects}`,
      },
    })(target, key);
  };
}

/** Text of `min` to `max` Unicode code points, trimmed first when `trim` is set. */
export function TextField(
  options: FieldOptions & { readonly min?: number; readonly max: number; readonly trim?: boolean },
): PropertyDecorator {
  const { min = 0, max, trim } = options;
  const length = min > 0 ? `${min} to ${max}` : `at most ${max}`;
  return requestField({
    ...options,
    expects: `must be text of ${length} characters${trim ? ', not counting blanks around it' : ''}, without NUL`,
    schema: { type: String, minLength: min, maxLength: max },
    convert: (value) => (trim && typeof value === 'string' ? value.trim() : value),
    check: (value) => {
      if (typeof value !== 'string' || !isStorable(value)) return false;
      if (value.length < min || !hasAtMost(max, value)) return false;
      return min <= 1 || codePointLength(value) >= min;
    },
  });
}

/** One of a list of words. */
export function ChoiceField(
  options: FieldOptions & {
    readonly values: readonly string[];
    readonly name?: string;
    readonly default?: string;
  },
): PropertyDecorator {
  const { values, name } = options;
  return requestField({
    ...options,
    expects: `must be one of ${values.join(', ')}`,
    schema: {
      enum: [...values],
      ...(name ? { enumName: name } : {}),
      default: options.default,
    } as ApiPropertyOptions,
    check: (value) => typeof value === 'string' && values.includes(value),
  });
}

/** A whole number in a query string. */
export function IntegerParameter(
  options: FieldOptions & { readonly min: number; readonly max?: number; readonly default: number },
): PropertyDecorator {
  const { min, max = Number.MAX_SAFE_INTEGER } = options;
  return requestField({
    ...options,
    optional: true,
    expects:
      options.max === undefined
        ? `must be a whole number of at least ${min}`
        : `must be a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max, default: options.default },
    convert: (value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value),
    check: (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  });
}

/** A whole number in a body. */
export function IntegerField(
  options: FieldOptions & { readonly min: number; readonly max?: number },
): PropertyDecorator {
  const { min, max = Number.MAX_SAFE_INTEGER } = options;
  return requestField({
    ...options,
    expects: `must be a whole number of at least ${min}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    check: (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  });
}

/** A media type of audio or video, parameters allowed: `video/webm;codecs=vp9`. */
export function MediaTypeField(options: FieldOptions): PropertyDecorator {
  return requestField({
    ...options,
    expects: 'must be a media type of audio or video, such as video/mp4',
    schema: { type: String, maxLength: 200 },
    check: (value) =>
      typeof value === 'string' &&
      value.length <= 200 &&
      /^(audio|video)\/[\w.+-]+\s*(;[^\0]*)?$/i.test(value),
  });
}

/** A BCP 47 language code, such as `en` or `pt-BR`. */
export function LanguageField(options: FieldOptions): PropertyDecorator {
  return requestField({
    ...options,
    expects: 'must be a language code, such as en or pt-BR',
    schema: { type: String, maxLength: 35 },
    check: isLanguageCode,
  });
}

/** Asks for something when it is true; there is nothing that false would ask for. */
export function TrueField(options: FieldOptions): PropertyDecorator {
  return requestField({
    ...options,
    expects: 'must be true',
    schema: { type: Boolean, enum: [true] },
    check: (value) => value === true,
  });
}

/** An ISO 8601 date, or date and time; stays text, see `parseTimestamp`. */
export function TimestampField(options: FieldOptions): PropertyDecorator {
  return requestField({
    ...options,
    expects: 'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z',
    schema: { type: String },
    check: (value) => typeof value === 'string' && parseTimestamp(value) !== null,
  });
}

/** An identifier to look up; one that is no UUID is taken and matches nothing. */
export function IdParameter(options: FieldOptions): PropertyDecorator {
  return requestField({
    ...options,
    expects: 'must be an id, given once',
    schema: { type: String, minLength: 1 },
    check: (value) => typeof value === 'string' && value.length > 0 && isStorable(value),
  });
}
