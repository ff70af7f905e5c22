import { Injectable, ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { PlatformError } from '../../errors/platform-error.js';
import { printable } from '../../../lib/text.js';
import { needsField, structureOf } from '../fields/request-field.js';

type Dto = new () => object;
type Source = 'body' | 'query';

/** How many valid queries of an operation are remembered, and how long these are, as JSON. */
const MAX_KNOWN = 100;
const MAX_KNOWN_LENGTH = 500;

/** A body may have thousands of unknown fields. */
const MAX_REPORTED = 10;

/** The types of bodies that `SchemaBody` checks. */
const STRUCTURES: ReadonlySet<unknown> = new Set([Object, Array]);

/** Replaces an array or object where it is not accepted: every check rejects a symbol. */
const STRUCTURE = Symbol('an array or an object');

/** Replaces a list that is there because a query parameter was sent more than once. */
const REPEATED = Symbol('was sent more than once; send it once');

/** Replaces the value of an unknown field; its description is the error message. */
const UNKNOWN: Record<Source, symbol> = {
  body: Symbol('unknown field'),
  query: Symbol('unknown query parameter'),
};

/**
 * Nest's `ValidationPipe`, which converts query and body to their DTO or reports every error in them, with three
 * behaviors replaced: on its own it silently drops `__proto__` and the like, copies arrays and objects of any size
 * before rejecting them, and validates the same query, such as an empty one, every time. Path parameters pass through
 * unchanged and synchronously.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  private readonly validation = new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    validationError: { target: true, value: true },
    exceptionFactory: (errors: ValidationError[]) => refusal(errors.flatMap((error) => messagesOf(error))),
  });
  /** Valid queries and empty bodies, by what was sent: the rules of a DTO depend on nothing else. */
  private readonly known = new Map<Dto, Map<string, object>>();

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype } = metadata;
    if ((type !== 'body' && type !== 'query') || !metatype || STRUCTURES.has(metatype)) return value;
    const dto = metatype as Dto;
    const given = value === undefined ? {} : value;
    const sent = textOf(given, type);
    const known = sent !== null && this.known.get(dto)?.get(sent);
    return known || this.validate(given, sent, dto, metadata);
  }

  private async validate(
    given: unknown,
    sent: string | null,
    dto: Dto,
    metadata: ArgumentMetadata,
  ): Promise<object> {
    const fields = filtered(given, dto, metadata.type as Source);
    const valid = (await this.validation.transform(fields, metadata)) as object;
    if (sent === null || sent.length > MAX_KNOWN_LENGTH) return valid;
    const known = this.known.get(dto) ?? new Map<string, object>();
    if (known.size >= MAX_KNOWN) known.clear();
    this.known.set(dto, known.set(sent, Object.freeze(valid)));
    return valid;
  }
}

/** What is sent of a query or an empty body; null for anything else. */
function textOf(given: unknown, type: Source): string | null {
  if (!isObject(given)) return null;
  const values = Object.values(given);
  const isKnowable =
    type === 'query' ? values.every((value) => typeof value === 'string') : values.length === 0;
  return isKnowable ? JSON.stringify(given) : null;
}

/**
 * The fields sent, without arrays and objects where they are not accepted, and with at most ten unknown ones:
 * class-transformer deep-copies every value, in time quadratic in the number of fields.
 */
function filtered(value: unknown, dto: Dto, source: Source, path = ''): Record<string, unknown> {
  if (!isObject(value)) throw refusal(['body: must be a JSON object']);
  const known = fieldsOf(dto);
  const fields: Record<string, unknown> = {};
  let unknown = 0;
  for (const [name, given] of Object.entries(value)) {
    if (known.has(name)) {
      fields[name] = replaced(given, { dto, name, source, path });
    } else if (isDropped(name)) {
      throw refusal([`${path}${unknownField(name, dto, UNKNOWN[source])}`]);
    } else if (unknown < MAX_REPORTED) {
      unknown += 1;
      fields[name] = UNKNOWN[source];
    }
  }
  if (needsField(dto) && Object.keys(fields).length === 0) {
    throw refusal([`${path.slice(0, -1) || 'body'}: must have at least one of ${[...known].join(', ')}`]);
  }
  return fields;
}

interface Place {
  readonly dto: Dto;
  readonly name: string;
  readonly source: Source;
  /** The path of the object that has the field: empty, or with a dot at its end. */
  readonly path: string;
}

function replaced(given: unknown, { dto, name, source, path }: Place): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (source === 'query') return Array.isArray(given) ? REPEATED : STRUCTURE;
  const structure = structureOf(dto, name);
  if (structure && 'list' in structure && Array.isArray(given)) {
    // One more than accepted is enough to be refused.
    return given
      .slice(0, structure.list + 1)
      .map((item: unknown) => (Object(item) === item ? STRUCTURE : item));
  }
  if (structure && 'nested' in structure && isObject(given))
    return filtered(given, structure.nested(), source, `${path}${name}.`);
  return STRUCTURE;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that Nest, class-transformer and class-validator silently drop: `__proto__`, `constructor`, `toString`. */
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

function messagesOf(
  { property, value, target, constraints, children }: ValidationError,
  path = '',
): string[] {
  const expects = Object.values(constraints ?? {})[0];
  if (expects === undefined)
    return children?.flatMap((child) => messagesOf(child, `${path}${property}.`)) ?? [];
  if (value === REPEATED) return [`${property}: ${REPEATED.description} (${expects})`];
  if (typeof value === 'symbol' && value !== STRUCTURE) {
    return [`${path}${unknownField(property, target!.constructor as Dto, value)}`];
  }
  // Of a list, the message begins with the place of the item.
  return [`${path}${property}${expects.startsWith('[') ? '' : ': '}${expects}`];
}

function unknownField(name: string, dto: Dto, { description }: symbol): string {
  const known = [...fieldsOf(dto)];
  const allowed = known.length > 0 ? `allowed: ${known.join(', ')}` : 'none allowed';
  return `${printable(name)}: ${description} (${allowed})`;
}

function refusal(reasons: readonly string[]): PlatformError {
  return new PlatformError('VALIDATION_ERROR', reasons.slice(0, MAX_REPORTED).join('; '));
}
