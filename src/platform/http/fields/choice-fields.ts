import type { ApiPropertyOptions } from '@nestjs/swagger';
import { didYouMean } from '../../../lib/nearest-name.js';
import { fieldOf, ofText, requestField, type FieldOptions } from './request-field.js';

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
  return requestField(description, options, {
    expects: `must be one of ${values.join(', ')}`,
    schema: {
      enum: [...values],
      ...(name ? { enumName: name } : {}),
      default: options.default,
    } as ApiPropertyOptions,
    cause: (value) => didYouMean(value, values),
    holds: ofText((text) => values.includes(text)),
  });
}

/** One or more of a fixed list of values, separated by commas, in a query string; a list without repetitions. */
export function ChoicesParameter(
  description: string,
  options: FieldOptions & { readonly values: readonly string[]; readonly name: string },
): PropertyDecorator {
  const { values, name } = options;
  return requestField(description, options, {
    expects: `must be one or more of ${values.join(', ')}, separated by commas`,
    schema: {
      isArray: true,
      enum: [...values],
      enumName: name,
      style: 'form',
      explode: false,
    } as ApiPropertyOptions,
    convert: (text) => [...new Set(text.split(','))],
    cause: (given) =>
      didYouMean(Array.isArray(given) && given.find((one) => !values.includes(one as string)), values),
    holds: (given) => Array.isArray(given) && given.every((one: string) => values.includes(one)),
  });
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** `true` or `false` in a query string. */
export const BooleanParameter = (
  description: string,
  options: FieldOptions & { readonly default?: boolean },
): PropertyDecorator =>
  requestField(
    description,
    { ...options, optional: true },
    {
      expects: 'must be one of true, false',
      schema: { type: Boolean, default: options.default },
      convert: (text) => BOOLEANS.get(text) ?? text,
      cause: (value) => didYouMean(value, [...BOOLEANS.keys()]),
      holds: isBoolean,
    },
  );

/** A boolean in a body. */
export const BooleanField = fieldOf({
  expects: 'must be true or false',
  schema: { type: Boolean },
  holds: isBoolean,
});

/** Requests an action; there is no meaning for false, so it is rejected. */
export const TrueField = fieldOf({
  expects: 'must be true',
  schema: { type: Boolean, enum: [true] },
  holds: (value) => value === true,
});
