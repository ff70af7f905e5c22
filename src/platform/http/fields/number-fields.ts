import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsInt, IsNumber, Max, Min } from 'class-validator';
import { requestField, type FieldOptions, type FieldRule } from './request-field.js';

interface IntegerOptions extends FieldOptions {
  readonly min: number;
  readonly max?: number;
  /** Of what it is a number, such as `seconds`. */
  readonly unit?: string;
}

/** An integer in a query string. */
export function IntegerParameter(
  description: string,
  options: IntegerOptions & { readonly default?: number },
): PropertyDecorator {
  return requestField(
    description,
    { ...options, optional: true },
    {
      ...integerRule(options, options.default),
      convert: (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
    },
  );
}

/** An integer in a body. */
export const IntegerField = (description: string, options: IntegerOptions): PropertyDecorator =>
  requestField(description, options, integerRule(options));

function integerRule(options: IntegerOptions, preset?: number): FieldRule {
  const { min, max = Number.MAX_SAFE_INTEGER, unit } = options;
  return {
    expects: `must be an integer ${rangeOf(options)}${unit ? `, in ${unit}` : ''}`,
    schema: { type: 'integer', minimum: min, maximum: max, default: preset } as ApiPropertyOptions,
    checks: (message) => [IsInt(message), Min(min, message), Max(max, message)],
  };
}

/** A number in a body, possibly with a fraction, such as seconds. */
export function DecimalField(
  description: string,
  options: FieldOptions & { readonly min: number; readonly max?: number },
): PropertyDecorator {
  const { min, max } = options;
  return requestField(description, options, {
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
