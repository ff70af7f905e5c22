import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Equals, IsBoolean, IsIn } from 'class-validator';
import { didYouMean } from '../../../lib/nearest-name.js';
import { choiceOf } from '../../errors/decorator-error.js';
import { fieldOf, requestField, type FieldOptions } from './request-field.js';

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
    requestField(description, options, {
      expects: `must be one of ${values.join(', ')}`,
      schema: {
        enum: [...values],
        ...(name ? { enumName: name } : {}),
        default: options.default,
      } as ApiPropertyOptions,
      cause: (value) => didYouMean(value, values),
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
  return choiceOf(values, () =>
    requestField(description, options, {
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
      checks: (message) => [IsIn(values, { ...message, each: true })],
    }),
  );
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** `true` or `false` in a query string. */
export function BooleanParameter(
  description: string,
  options: FieldOptions & { readonly default?: boolean },
): PropertyDecorator {
  return requestField(
    description,
    { ...options, optional: true },
    {
      expects: 'must be one of true, false',
      schema: { type: Boolean, default: options.default },
      convert: (text) => BOOLEANS.get(text) ?? text,
      cause: (value) => didYouMean(value, [...BOOLEANS.keys()]),
      checks: (message) => [IsBoolean(message)],
    },
  );
}

/** A boolean in a body. */
export const BooleanField = fieldOf({
  expects: 'must be true or false',
  schema: { type: Boolean },
  checks: (message) => [IsBoolean(message)],
});

/** Requests an action; there is no meaning for false, so it is rejected. */
export const TrueField = fieldOf({
  expects: 'must be true',
  schema: { type: Boolean, enum: [true] },
  checks: (message) => [Equals(true, message)],
});
