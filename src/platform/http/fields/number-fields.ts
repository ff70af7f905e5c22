import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsInt, IsNumber, Max, Min } from 'class-validator';
import { convertsText, requestField, type FieldOptions } from './request-field.js';

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
  return applyDecorators(
    convertsText((text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text)),
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
  return requestField(description, options, {
    expects: `must be an integer ${rangeOf(options)}${options.unit ? `, in ${options.unit}` : ''}`,
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
