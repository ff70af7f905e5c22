import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { choiceOf, DecoratorError, IMPORTED_TOO_LATE } from '../errors/decorator-error.js';

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

/** Decorators for response fields. Each field has a description, which includes its unit, if any, and an example. */
export const TextProperty = (description: string, options: WithExample<string | null>): PropertyDecorator =>
  field(description, { type: String }, options);

export const IdProperty = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  field(
    description,
    { type: String, format: 'uuid', example: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90' },
    options,
  );

export const TimestampProperty = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  field(description, { type: String, format: 'date-time', example: '2026-01-31T09:30:00.000Z' }, options);

export const DateProperty = (description: string, options: WithExample<string | null>): PropertyDecorator =>
  field(description, { type: String, format: 'date' }, options);

export const UrlProperty = (description: string, options: WithExample<string | null>): PropertyDecorator =>
  field(description, { type: String, format: 'uri' }, options);

export const EnumProperty = (
  description: string,
  {
    values,
    name,
    ...options
  }: WithExample<string> & { readonly values: readonly string[]; readonly name: string },
): PropertyDecorator =>
  choiceOf(values, () =>
    field(description, { enum: [...values], enumName: name } as ApiPropertyOptions, options),
  );

export const IntegerProperty = (
  description: string,
  options: WithExample<number | null>,
): PropertyDecorator => field(description, { type: 'integer', minimum: 0 }, options);

export const DecimalProperty = (
  description: string,
  { maximum, ...options }: WithExample<number> & { readonly maximum?: number },
): PropertyDecorator =>
  field(description, { type: Number, minimum: 0, ...(maximum === undefined ? {} : { maximum }) }, options);

export const BooleanProperty = (description: string, options: WithExample<boolean>): PropertyDecorator =>
  field(description, { type: Boolean }, options);

export const StringListProperty = (
  description: string,
  options: WithExample<readonly string[] | null>,
): PropertyDecorator => field(description, { type: [String] }, options);

export const IntegerListProperty = (
  description: string,
  options: WithExample<readonly number[]>,
): PropertyDecorator =>
  field(
    description,
    { type: 'array', items: { type: 'integer', minimum: 0 } } as ApiPropertyOptions,
    options,
  );

/**
 * `type` is lazy as the class may be declared later; Nest recognizes a lazy type by the name of its function, `type`.
 */
export const NestedProperty =
  (of: () => unknown, description: string, options: FieldOptions = {}): PropertyDecorator =>
  (target, key) => {
    const type = (): unknown => {
      const found = of();
      if (found !== undefined) return found;
      throw new DecoratorError(target, key, `the class of its fields is undefined; ${IMPORTED_TOO_LATE}`);
    };
    field(description, { type } as ApiPropertyOptions, options)(target, key);
  };
