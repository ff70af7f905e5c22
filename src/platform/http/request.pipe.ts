import { Injectable, ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { PlatformError } from '../errors/platform-error.js';
import { printable } from '../text.js';

type Dto = new () => object;
type Source = 'body' | 'query';

/** At most this many mistakes are reported; a body may hold thousands of unknown fields. */
const MOST_TOLD = 10;

/** Types of bodies with an inner structure, which `SchemaBody` checks. */
const STRUCTURES: ReadonlySet<unknown> = new Set([Object, Array]);

/** Stands in for a list or an object where a field takes neither: every check refuses a symbol. */
const STRUCTURE = Symbol('a list or an object');

/** Stands in for the value of an unknown field, and says what it is. */
const UNKNOWN: Record<Source, symbol> = {
  body: Symbol('unknown field'),
  query: Symbol('unknown query parameter'),
};

/**
 * Nest's `ValidationPipe`, which turns query and body into their DTO or refuses them with every mistake named, behind three
 * things that it does otherwise: it would leave out `__proto__` and the like in silence, copy lists and objects of any size
 * before it refuses them, and check an empty query, which most requests have, anew each time. Parameters of the path pass
 * as they are, without a promise.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  private readonly validation = new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    validationError: { target: true, value: true },
    exceptionFactory: (errors: ValidationError[]) => refusal(errors.map(mistakeOf)),
  });
  private readonly defaults = new Map<Dto, object>();

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype } = metadata;
    if ((type !== 'body' && type !== 'query') || !metatype || STRUCTURES.has(metatype)) return value;
    const dto = metatype as Dto;
    if (value === undefined || isEmpty(value)) return this.defaults.get(dto) ?? this.ofNothing(dto, metadata);
    return this.validation.transform(sifted(value, dto, type), metadata);
  }

  private async ofNothing(dto: Dto, metadata: ArgumentMetadata): Promise<object> {
    const checked = Object.freeze((await this.validation.transform({}, metadata)) as object);
    this.defaults.set(dto, checked);
    return checked;
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const _ in value) return false;
  return true;
}

/**
 * The fields that were sent, without lists and objects, and at most ten unknown ones: class-transformer copies whatever a
 * value holds, and its time grows with the square of the number of fields.
 */
function sifted(value: unknown, dto: Dto, source: Source): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal(['body: must be a JSON object']);
  }
  const known = fieldsOf(dto);
  const fields: Record<string, unknown> = {};
  let unknown = 0;
  for (const [name, given] of Object.entries(value)) {
    if (known.has(name)) {
      fields[name] = typeof given === 'object' && given !== null ? STRUCTURE : given;
    } else if (isDropped(name)) {
      throw refusal([unknownField(name, dto, UNKNOWN[source])]);
    } else if (unknown < MOST_TOLD) {
      unknown += 1;
      fields[name] = UNKNOWN[source];
    }
  }
  return fields;
}

/** Names that Nest, class-transformer and class-validator leave out in silence: `__proto__`, `constructor`, `toString`. */
function isDropped(name: string): boolean {
  return name === 'prototype' || name in Object.prototype;
}

const FIELDS = new WeakMap<Dto, ReadonlySet<string>>();

function fieldsOf(dto: Dto): ReadonlySet<string> {
  const known = FIELDS.get(dto);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const fields = new Set(rules.map(({ propertyName }) => propertyName));
  FIELDS.set(dto, fields);
  return fields;
}

function mistakeOf({ property, value, target, constraints }: ValidationError): string {
  if (typeof value === 'symbol' && value !== STRUCTURE) {
    return unknownField(property, target!.constructor as Dto, value);
  }
  return `${property}: ${Object.values(constraints ?? {})[0]}`;
}

function unknownField(name: string, dto: Dto, { description }: symbol): string {
  const known = [...fieldsOf(dto)];
  const taken = known.length > 0 ? `known are ${known.join(', ')}` : 'there are none here';
  return `${printable(name)}: ${description}; ${taken}`;
}

function refusal(mistakes: readonly string[]): PlatformError {
  return new PlatformError('VALIDATION_ERROR', mistakes.slice(0, MOST_TOLD).join('; '));
}
