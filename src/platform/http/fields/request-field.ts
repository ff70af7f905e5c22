import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';

/** What every decorator of a request field takes besides its description. */
export interface FieldOptions {
  readonly example: string | number | boolean | readonly string[];
  readonly optional?: boolean;
  /** Also accepts null. */
  readonly nullable?: boolean;
}

export interface FieldRule {
  /** What the field accepts, as worded in the error message: "must be ..."; or what is wrong with a value. */
  readonly expects: string | ((value: unknown) => string);
  readonly schema: ApiPropertyOptions;
  /** Converts text before it is checked; other values stay as they are. */
  readonly convert?: (text: string) => unknown;
  readonly accepts?: Structure;
  /** Why a value that is not accepted probably is not, if that is clear. */
  readonly cause?: (value: unknown) => string | null;
  /** Whether a value is accepted, once it has been converted. */
  readonly holds: (value: unknown) => boolean;
}

/** Defines the check of a field, its error message, the conversion, and the schema in the API document. */
export function requestField(
  description: string,
  { example, optional, nullable }: Partial<FieldOptions>,
  rule: FieldRule,
): PropertyDecorator {
  const { schema, convert, accepts: context, holds } = rule;
  const message = ({ value }: ValidationArguments): string => {
    const expected = typeof rule.expects === 'string' ? rule.expects : rule.expects(value);
    const expects = nullable ? `${expected}, or null` : expected;
    if (value === undefined) return `is required and ${expects}`;
    const cause = rule.cause?.(value) ?? null;
    return cause === null ? expects : `${expects}; ${cause}`;
  };
  return applyDecorators(
    ...(convert ? [convertsText(convert)] : []),
    ApiProperty({
      description,
      ...(example === undefined ? {} : { example }),
      required: !optional,
      ...(nullable ? { nullable } : {}),
      ...schema,
    } as ApiPropertyOptions),
    ...exceptions(optional, nullable),
    // The metadata of class-validator, unlike others, is copied by `PickType`.
    ValidateBy({ name: 'field', validator: { validate: holds } }, { message, context }),
  );
}

/** A description whose first statement ends with what the field is limited to: `Label, 1 to 100 characters. Null: none`. */
export const withLimit = (description: string, limit: string): string =>
  description.replace(/(?=[;.] )|$/, `, ${limit}`);

/** A check for strings alone. */
export const ofText =
  (holds: (text: string) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'string' && holds(value);

/** A decorator for fields that have the same rule everywhere. */
export const fieldOf =
  (rule: FieldRule) =>
  (description: string, options: FieldOptions): PropertyDecorator =>
    requestField(description, options, rule);

const convertsText = (convert: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? convert(value) : value));

/** A rule about a field that depends on others, which may be invalid: what is wrong, or null. Checked last. */
export const Alongside = <Fields extends object>(
  problemOf: (fields: Partial<Fields>) => string | null,
): PropertyDecorator => {
  const problem = ({ object }: ValidationArguments): string | null => problemOf(object as Partial<Fields>);
  return ValidateBy(
    { name: 'alongside', validator: { validate: (_, all) => all !== undefined && problem(all) === null } },
    { message: (all) => problem(all) ?? '' },
  );
};

/** What decides about a value besides itself. */
export interface Circumstances {
  now(): Date;
  /** Null if the service may not connect there. */
  readUrl(text: string): URL | null;
}

/**
 * What a field accepts besides a single value: a list or a record of at most this many values, or an object with the
 * fields of a DTO; or, in a body, only text for which `holds` is true. `RequestPipe` passes on no other lists, objects
 * and text.
 */
export type Structure =
  | { readonly list: number }
  | { readonly record: number }
  | { readonly nested: () => new () => object }
  | { readonly holds: (text: string, circumstances: Circumstances) => boolean };

const AT_LEAST_ONE = Symbol('AT_LEAST_ONE');

/** A body or a nested object with nothing but optional fields, of which one is needed. */
export const AtLeastOneField = (): ClassDecorator => (dto) => Reflect.defineMetadata(AT_LEAST_ONE, true, dto);

export const needsField = (dto: new () => object): boolean => Reflect.hasMetadata(AT_LEAST_ONE, dto);

/** Values accepted without a check. */
function exceptions(optional = false, nullable = false): PropertyDecorator[] {
  if (optional && nullable) return [IsOptional()];
  // Not `IsOptional`, which also accepts null.
  if (optional) return [ValidateIf((_, value) => value !== undefined)];
  return nullable ? [ValidateIf((_, value) => value !== null)] : [];
}
