import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

interface FieldOptions {
  readonly description: string;
  readonly example?: unknown;
  readonly nullable?: true;
}

const field = (schema: ApiPropertyOptions, options: FieldOptions): PropertyDecorator =>
  ApiProperty({ ...schema, ...options } as ApiPropertyOptions);

/** Decorators for response fields. Each field has a description, which includes its unit, if any, and an example. */
export const TextProperty = (
  options: FieldOptions & { readonly example: string | null },
): PropertyDecorator => field({ type: String }, options);

export const IdProperty = (options: FieldOptions): PropertyDecorator =>
  field({ type: String, format: 'uuid' }, { example: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90', ...options });

export const TimestampProperty = (options: FieldOptions): PropertyDecorator =>
  field({ type: String, format: 'date-time' }, { example: '2026-01-31T09:30:00.000Z', ...options });

export const UrlProperty = (options: FieldOptions & { readonly example: string | null }): PropertyDecorator =>
  field({ type: String, format: 'uri' }, options);

export const EnumProperty = (
  options: FieldOptions & {
    readonly values: readonly string[];
    readonly name: string;
    readonly example: string;
  },
): PropertyDecorator => {
  const { values, name, ...rest } = options;
  return field({ enum: [...values], enumName: name } as ApiPropertyOptions, rest);
};

export const IntegerProperty = (options: FieldOptions & { readonly example: number }): PropertyDecorator =>
  field({ type: 'integer', minimum: 0 }, options);

export const DecimalProperty = (
  options: FieldOptions & { readonly example: number; readonly maximum?: number },
): PropertyDecorator => {
  const { maximum, ...rest } = options;
  return field({ type: Number, minimum: 0, ...(maximum === undefined ? {} : { maximum }) }, rest);
};

export const BooleanProperty = (options: FieldOptions & { readonly example: boolean }): PropertyDecorator =>
  field({ type: Boolean }, options);

export const StringListProperty = (
  options: FieldOptions & { readonly example: readonly string[] },
): PropertyDecorator => field({ type: [String] }, options);

/** `type` is lazy because the class may be declared later; Nest recognizes a lazy type by the name of its function, `type`. */
export const NestedProperty = (of: () => unknown, options: FieldOptions): PropertyDecorator =>
  field({ type: () => of() } as ApiPropertyOptions, options);
