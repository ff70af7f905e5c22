import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { withSuggestion } from '../../../lib/nearest-name.js';
import { isUuid } from '../../ids.js';
import { counted, hasAtMost, isStorable } from '../../../lib/text.js';
import { type FieldOptions, requestField, withLimit } from './request-field.js';
import { rangeText } from '../../../lib/amounts.js';

/** A list of text; repetitions are dropped. */
export function ListField(
  description: string,
  options: FieldOptions & {
    readonly min?: number;
    readonly max: number;
    /** The items, if only these are accepted. */
    readonly known?: readonly string[];
    readonly isItem?: (item: unknown) => boolean;
    readonly item: string;
    /** What is accepted, or is wrong with a list of this length. */
    readonly expects: (length?: number) => string;
    readonly read?: (item: string) => string;
  },
): PropertyDecorator {
  const { min = 0, max, known = [], item, expects, read = (text: string) => text } = options;
  const { isItem = (one: unknown) => known.includes(one as string) } = options;
  const problemOf = (value: unknown): string | null => {
    if (!Array.isArray(value)) return expects();
    if (value.length < min || value.length > max) return expects(value.length);
    const wrong = value.findIndex((one) => !isItem(one));
    return wrong < 0 ? null : withSuggestion(`[${wrong}]: ${item}`, value[wrong], known);
  };
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      problemOf(value) === null ? [...new Set((value as string[]).map(read))] : value,
    ),
    requestField(options.known ? description : withLimit(description, rangeText(options)), options, {
      expects: (value) => problemOf(value) ?? expects(),
      schema: { type: [String], minItems: min, maxItems: max },
      accepts: { list: max },
      holds: (value) => problemOf(value) === null,
    }),
  );
}

const MAX_ID_CHARACTERS = 100;

/** Ids to look up, without repetitions; one that is not a UUID matches nothing. */
export function IdsField(
  description: string,
  options: FieldOptions & { readonly min?: number; readonly max: number },
): PropertyDecorator {
  const { min = 0, max } = options;
  return ListField(description, {
    ...options,
    isItem: (id) => typeof id === 'string' && id !== '' && hasAtMost(MAX_ID_CHARACTERS, id) && isStorable(id),
    item: 'must be an id',
    expects: (length) => {
      if (length === undefined) return 'must be a list of ids';
      return `must contain ${length < min ? `at least ${counted(min, 'id')}` : `at most ${counted(max, 'id')}`}`;
    },
    read: (id) => (isUuid(id) ? id.toLowerCase() : id),
  });
}

/** An object with the fields of another DTO. */
export const NestedField = (
  of: () => new () => object,
  description: string,
  options: Omit<FieldOptions, 'example'> = {},
): PropertyDecorator =>
  applyDecorators(
    Type(of),
    ValidateNested(),
    requestField(description, options, {
      expects: 'must be an object',
      schema: { type: () => of() } as ApiPropertyOptions,
      accepts: { nested: of },
      holds: (value) => typeof value === 'object' && value !== null,
    }),
  );
