import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type FieldOptions, type FieldRule, requestField, withLimit } from './request-field.js';
import { rangeText } from '../../../lib/amounts.js';

interface IntegerOptions extends FieldOptions, Range {
  /** Of what it is a number, such as `seconds`. */
  readonly unit?: string;
}

/** An integer in a query string. */
export const IntegerParameter = (
  description: string,
  options: IntegerOptions & { readonly default?: number },
): PropertyDecorator =>
  requestField(
    describe(description, options),
    { ...options, optional: true },
    {
      ...integerRule(options, options.default),
      convert: (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
    },
  );

/** An integer in a body. */
export const IntegerField = (description: string, options: IntegerOptions): PropertyDecorator =>
  requestField(describe(description, options), options, integerRule(options));

const describe = (description: string, { min, max }: IntegerOptions): string =>
  max === undefined ? description : withLimit(description, rangeText({ min, max }));

function integerRule(options: IntegerOptions, preset?: number): FieldRule {
  const { min, max = Number.MAX_SAFE_INTEGER, unit } = options;
  return {
    expects: `must be an integer ${rangeOf(options)}${unit ? `, in ${unit}` : ''}`,
    schema: { type: 'integer', minimum: min, maximum: max, default: preset } as ApiPropertyOptions,
    holds: (value) => Number.isSafeInteger(value) && isWithin(options, value as number),
  };
}

/** A number in a body, possibly with a fraction, such as seconds. */
export function DecimalField(description: string, options: FieldOptions & Range): PropertyDecorator {
  const { min, max } = options;
  return requestField(description, options, {
    expects: `must be a number ${rangeOf(options)}`,
    schema: { type: Number, minimum: min, ...(max === undefined ? {} : { maximum: max }) },
    // JSON has no Infinity, but 1e999 parses to it.
    holds: (value) => Number.isFinite(value) && isWithin(options, value as number),
  });
}

interface Range {
  readonly min: number;
  readonly max?: number;
}

const isWithin = ({ min, max = Infinity }: Range, value: number): boolean => value >= min && value <= max;

const rangeOf = ({ min, max }: Range): string =>
  max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
