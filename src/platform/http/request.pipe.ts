import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { PlatformError } from '../errors/platform-error.js';
import { quoteForMessage } from '../text.js';
import { requestFields } from './fields.js';

type Dto = new () => object;

/**
 * Turns query and body into their DTO, or refuses them with every mistake named: unknown fields, wrong types, values
 * out of range. Nothing is dropped in silence.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  private readonly defaults = new Map<Dto, object>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    // A structure of its own, which `SchemaBody` checks.
    if (type === 'body' && (metatype === Object || metatype === Array)) return value;
    if (value === undefined || isEmpty(value)) return this.ofNothing(metatype as Dto, type);
    return read(metatype as Dto, value, type);
  }

  /** Most requests ask for what is the default; it is checked once. */
  private ofNothing(dto: Dto, type: 'body' | 'query'): object {
    const known = this.defaults.get(dto) ?? Object.freeze(read(dto, {}, type));
    this.defaults.set(dto, known);
    return known;
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const _ in value) return false;
  return true;
}

function read(dto: Dto, value: unknown, source: 'body' | 'query'): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PlatformError('VALIDATION_ERROR', 'body: must be a JSON object');
  }
  const fields = requestFields(dto);
  const mistakes: string[] = [];
  const instance: Record<string, unknown> = new dto() as Record<string, unknown>;
  for (const [name, given] of Object.entries(value)) {
    if (mistakes.length === MOST_TOLD) break;
    const field = fields.get(name);
    if (!field) mistakes.push(`${quoteForMessage(name)}: ${unknown(source, [...fields.keys()])}`);
    // Never handed on: converting a deeply nested value would recurse as deep as the sender likes.
    else if (typeof given === 'object' && given !== null) mistakes.push(`${name}: ${field.expects}`);
    else instance[name] = field.convert(given);
  }
  if (mistakes.length > 0) throw refused(mistakes);
  const errors = validateSync(instance, { stopAtFirstError: true });
  if (errors.length > 0) throw refused(errors.flatMap(({ constraints }) => Object.values(constraints ?? {})));
  return instance;
}

/** At most so many mistakes are told; a body may hold thousands of unknown fields. */
const MOST_TOLD = 10;

function refused(mistakes: readonly string[]): PlatformError {
  return new PlatformError('VALIDATION_ERROR', mistakes.slice(0, MOST_TOLD).join('; '));
}

function unknown(source: 'body' | 'query', known: readonly string[]): string {
  const what = source === 'body' ? 'field' : 'query parameter';
  return known.length > 0
    ? `unknown ${what}; known are ${known.join(', ')}`
    : `unknown ${what}; there are none here`;
}
