import { Injectable, ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { Clock } from '../../clock/clock.js';
import { PlatformError } from '../../errors/platform-error.js';
import { OutboundClient } from '../../outbound/outbound-client.js';
import { explainUnknown } from '../../../lib/nearest-name.js';
import { printable } from '../../../lib/text.js';
import { needsField, type Circumstances, type Structure } from '../fields/request-field.js';

type Dto = new () => object;
type Source = 'body' | 'query';

/** How many valid queries of an operation are remembered, and how long these are, as JSON. */
const MAX_KNOWN = 100;
const MAX_KNOWN_LENGTH = 500;

/** A body may have thousands of unknown fields. */
const MAX_REPORTED = 10;

/** The types of bodies that `SchemaBody` checks. */
const STRUCTURES: ReadonlySet<unknown> = new Set([Object, Array]);

/** Replaces what is not accepted: every check rejects a symbol. */
const REFUSED = Symbol('an array, an object or other text');

/** Replaces a list that is there because a query parameter was sent more than once. */
const REPEATED = Symbol('is specified more than once; send it once');

const UNKNOWN: Record<Source, string> = { body: 'unknown field', query: 'unknown query parameter' };

/** What `ValidationPipe` throws. */
class InvalidFields extends Error {
  constructor(readonly reasons: readonly string[]) {
    super('invalid fields');
  }
}

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
    exceptionFactory: (errors: ValidationError[]) =>
      new InvalidFields(errors.flatMap((error) => messagesOf(error))),
  });
  private readonly circumstances: Circumstances;
  /** Valid queries and empty bodies, by what was sent: the rules of a DTO depend on nothing else. */
  private readonly known = new Map<Dto, Map<string, object>>();

  constructor(clock: Clock, outbound: OutboundClient) {
    this.circumstances = { now: () => clock.now(), readUrl: (text) => outbound.read(text) };
  }

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype } = metadata;
    if ((type !== 'body' && type !== 'query') || !metatype || STRUCTURES.has(metatype)) return value;
    const dto = metatype as Dto;
    const given = value === undefined ? {} : value;
    const sent = textOf(given, type);
    const known = sent !== null && this.known.get(dto)?.get(sent);
    return known || this.validate(given, sent, { dto, source: type }, metadata);
  }

  private async validate(
    given: unknown,
    sent: string | null,
    { dto, source }: Pick<Place, 'dto' | 'source'>,
    metadata: ArgumentMetadata,
  ): Promise<object> {
    const reasons: string[] = [];
    const fields = filtered(given, { dto, source, path: '', reasons, circumstances: this.circumstances });
    const valid: unknown = await this.validation.transform(fields, metadata).catch((error: unknown) => {
      if (!(error instanceof InvalidFields)) throw error;
      reasons.push(...error.reasons);
    });
    if (reasons.length > 0) throw refusal(reasons);
    if (sent !== null && sent.length <= MAX_KNOWN_LENGTH) this.remember(dto, sent, valid as object);
    return valid as object;
  }

  private remember(dto: Dto, sent: string, valid: object): void {
    const known = this.known.get(dto) ?? new Map<string, object>();
    if (known.size >= MAX_KNOWN) known.clear();
    this.known.set(dto, known.set(sent, Object.freeze(valid)));
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

/** An object of the request. */
interface Place {
  readonly dto: Dto;
  readonly source: Source;
  /** Of the object: empty, or with a dot at its end. */
  readonly path: string;
  /** What is wrong with the request. Texts beyond those that are reported are empty. */
  readonly reasons: string[];
  readonly circumstances: Circumstances;
}

/** Without arrays and objects where none is accepted: class-transformer deep-copies all, in quadratic time. */
function filtered(value: unknown, place: Place): Record<string, unknown> {
  const { dto, source, path, reasons } = place;
  if (!isObject(value)) throw refusal(['body: must be a JSON object']);
  const known = fieldsOf(dto);
  const names = [...known.keys()];
  const fields: Record<string, unknown> = {};
  const all = source === 'query' ? withRecords(value, known) : Object.entries(value);
  for (const [name, given] of all)
    if (known.has(name)) fields[name] = replaced(given, known.get(name), name, place);
    else if (reasons.length >= MAX_REPORTED) reasons.push('');
    else reasons.push(`${path}${printable(name)}: ${UNKNOWN[source]} (${explainUnknown(name, names)})`);
  if (needsField(dto) && Object.keys(value).length === 0)
    reasons.push(`${path.slice(0, -1) || 'body'}: must have at least one of ${names.join(', ')}`);
  return fields;
}

/** The fields of a query, in which `metadata[crm]=4711` is an entry of the record `metadata`. */
function withRecords(query: object, known: ReadonlyMap<string, Structure | undefined>): [string, unknown][] {
  // Not an object, in which `__proto__` would not become a field.
  const fields = new Map<string, unknown>();
  for (const [name, given] of Object.entries(query)) {
    const [, record = '', key = ''] = /^(\w+)\[(.*)\]$/.exec(name) ?? [];
    const structure = known.get(record);
    if (!structure || !('record' in structure)) fields.set(name, given);
    else if (isDropped(key)) fields.set(record, REFUSED);
    else {
      const before = fields.get(record);
      const entries = (isObject(before) ? before : {}) as Record<string, unknown>;
      entries[key] = typeof given === 'string' ? given : REFUSED;
      if (before !== REFUSED) fields.set(record, entries);
    }
  }
  return [...fields];
}

function replaced(given: unknown, structure: Structure | undefined, name: string, place: Place): unknown {
  const { source, path, circumstances } = place;
  const isText = typeof given === 'string';
  if (!isText && Object(given) !== given) return given;
  if (source === 'query' && structure && 'record' in structure && isObject(given)) return given;
  if (source === 'query') return isText ? given : Array.isArray(given) ? REPEATED : REFUSED;
  if (isText)
    return structure && 'holds' in structure && !structure.holds(given, circumstances) ? REFUSED : given;
  if (structure && 'list' in structure && Array.isArray(given)) {
    // One more than accepted is enough to be refused.
    return given
      .slice(0, structure.list + 1)
      .map((item: unknown) => (Object(item) === item ? REFUSED : item));
  }
  if (structure && 'record' in structure && isObject(given)) {
    const entries = Object.entries(given).slice(0, structure.record + 1);
    const isFlat = entries.every(([key, one]) => !isDropped(key) && Object(one) !== one);
    return isFlat ? Object.fromEntries(entries) : REFUSED;
  }
  if (structure && 'nested' in structure && isObject(given))
    return filtered(given, { ...place, dto: structure.nested(), path: `${path}${name}.` });
  return REFUSED;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that Nest, class-transformer and class-validator silently drop: `__proto__`, `constructor`, `toString`. */
const isDropped = (name: string): boolean => name === 'prototype' || name in Object.prototype;

const FIELDS = new WeakMap<Dto, ReadonlyMap<string, Structure | undefined>>();

/** The fields of a DTO, with what `accepts` says of them. */
function fieldsOf(dto: Dto): ReadonlyMap<string, Structure | undefined> {
  const known = FIELDS.get(dto);
  if (known) return known;
  const fields = new Map<string, Structure | undefined>();
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  for (const { propertyName, context } of rules)
    fields.set(propertyName, fields.get(propertyName) ?? (context as Structure | undefined));
  FIELDS.set(dto, fields);
  return fields;
}

function messagesOf({ property, value, constraints, children }: ValidationError, path = ''): string[] {
  const expects = Object.values(constraints ?? {})[0];
  if (expects === undefined)
    return children?.flatMap((child) => messagesOf(child, `${path}${property}.`)) ?? [];
  if (value === REPEATED) return [`${property}: ${REPEATED.description} (${expects})`];
  // Of a list, the message begins with the place of the item.
  return [`${path}${property}${expects.startsWith('[') ? '' : ': '}${expects}`];
}

function refusal(reasons: readonly string[]): PlatformError {
  const more = reasons.length - MAX_REPORTED;
  const shown = [...reasons.slice(0, MAX_REPORTED), ...(more > 0 ? [`and ${more} more`] : [])];
  return new PlatformError('VALIDATION_ERROR', shown.join('; '));
}
