import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DomainError } from '../errors/domain-error.js';
import { requestFields } from './fields.js';

type Dto = new () => object;

/**
 * Turns query and body into their DTO, or refuses them with every mistake named: unknown fields, wrong types, values
 * out of range. Nothing is dropped in silence.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    // A structure of its own, which `SchemaBody` checks.
    if (type === 'body' && (metatype === Object || metatype === Array)) return value;
    return read(metatype as Dto, value === undefined ? {} : value, type);
  }
}

function read(dto: Dto, value: unknown, source: 'body' | 'query'): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomainError('VALIDATION_ERROR', 'body: must be a JSON object');
  }
  const fields = requestFields(dto);
  const mistakes: string[] = [];
  for (const [name, given] of Object.entries(value)) {
    const field = fields.get(name);
    if (!field) mistakes.push(`${shown(name)}: ${unknown(source, [...fields.keys()])}`);
    // Never handed on: converting a deeply nested value would recurse as deep as the sender likes.
    else if (typeof given === 'object' && given !== null) mistakes.push(`${name}: ${field.expects}`);
  }
  if (mistakes.length > 0) throw refused(mistakes);
  const instance = plainToInstance(dto, value);
  const errors = validateSync(instance, { stopAtFirstError: true });
  if (errors.length > 0) throw refused(errors.flatMap(({ constraints }) => Object.values(constraints ?? {})));
  return instance;
}

/** At most so many mistakes are told; a body may hold thousands of unknown fields. */
const MOST_TOLD = 10;

function refused(mistakes: readonly string[]): DomainError {
  return new DomainError('VALIDATION_ERROR', mistakes.slice(0, MOST_TOLD).join('; '));
}

function unknown(source: 'body' | 'query', known: readonly string[]): string {
  const what = source === 'body' ? 'field' : 'query parameter';
  return known.length > 0
    ? `unknown ${what}; known are ${known.join(', ')}`
    : `unknown ${what}; there are none here`;
}

/** A name as sent, short and printable. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}...` : name)
    .slice(1, -1)
    .toWellFormed();
}
