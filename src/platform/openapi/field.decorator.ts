import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** Declares a class with these fields, for fields that are known as a table. */
export function classOf<Shape>(fields: Readonly<Record<keyof Shape, PropertyDecorator>>): Type<Shape> {
  class Fields {}
  for (const [name, declare] of Object.entries<PropertyDecorator>(fields)) declare(Fields.prototype, name);
  return Fields as Type<Shape>;
}

interface FieldOptions {
  readonly example?: unknown;
  readonly nullable?: true;
  /** Whether replies may lack the field. */
  readonly optional?: true;
}

interface WithExample<T> extends FieldOptions {
  readonly example: T;
}

const field = (
  description: string,
  schema: ApiPropertyOptions,
  { optional, ...options }: FieldOptions,
): PropertyDecorator =>
  ApiProperty({ ...schema, description, required: !optional, ...options } as ApiPropertyOptions);

const fieldLike =
  <Example>(schema: ApiPropertyOptions) =>
  (description: string, options: WithExample<Example>): PropertyDecorator =>
    field(description, schema, options);

/** The same with an example of its own. */
const fieldWithExample =
  (schema: ApiPropertyOptions) =>
  (description: string, options: FieldOptions = {}): PropertyDecorator =>
    field(description, schema, options);

/** Decorators for response fields. Each field has a description, which includes its unit, if any, and an example. */
export const TextProperty = fieldLike<string | null>({ type: String });
export const DateProperty = fieldLike<string | null>({ type: String, format: 'date' });
export const UrlProperty = fieldLike<string | null>({ type: String, format: 'uri' });
export const IdProperty = fieldWithExample({
  type: String,
  format: 'uuid',
  example: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90',
});
export const TimestampProperty = fieldWithExample({
  type: String,
  format: 'date-time',
  example: '2026-01-31T09:30:00.000Z',
});

export const EnumProperty = (
  description: string,
  {
    values,
    name,
    ...options
  }: WithExample<string> & { readonly values: readonly string[]; readonly name: string },
): PropertyDecorator =>
  field(description, { enum: [...values], enumName: name } as ApiPropertyOptions, options);

export const IntegerProperty = fieldLike<number | null>({ type: 'integer', minimum: 0 });
export const BooleanProperty = fieldLike<boolean>({ type: Boolean });
export const StringListProperty = fieldLike<readonly string[] | null>({ type: [String] });
export const IntegerListProperty = fieldLike<readonly number[]>({
  type: 'array',
  items: { type: 'integer', minimum: 0 },
} as ApiPropertyOptions);

export const DecimalProperty = (
  description: string,
  { maximum, ...options }: WithExample<number> & { readonly maximum?: number },
): PropertyDecorator =>
  field(description, { type: Number, minimum: 0, ...(maximum === undefined ? {} : { maximum }) }, options);

/** Seconds on a time line, possibly before its beginning. */
export const SecondsProperty = fieldLike<number | null>({ type: Number });

/** Lazy, as the class may be declared later; Nest recognizes that by the name of the function, `type`. */
export const NestedProperty = (
  type: () => unknown,
  description: string,
  options: FieldOptions = {},
): PropertyDecorator => field(description, { type: () => type() } as ApiPropertyOptions, options);
