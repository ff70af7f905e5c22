import { type ApiPropertyOptions, ApiProperty } from '@nestjs/swagger';
import { rangeText } from '../lib/amounts.js';
import { asLine, counted, hasAtMost, isLine, isStorable, quoteForMessage } from '../lib/text.js';
import { EXTERNAL_ID_PREFIX } from '../platform/ids.js';
import { requestField } from '../platform/http/fields/request-field.js';
import { TextField, TextParameter } from '../platform/http/fields/text-fields.js';
import { TextProperty } from '../platform/openapi/field.decorator.js';
import { conflict, invalid } from './domain-error.js';
import type { ExternallyNamed } from './id-param.decorator.js';

/** What callers keep with a resource for themselves: text by key. */
export type Metadata = Readonly<Record<string, string>>;

/** Changes of metadata: a value replaces that of its key, null removes it. */
export type MetadataChanges = Readonly<Record<string, string | null>>;

/** Characters of an external id; of metadata the number of keys, characters of a key, and of a value. */
export const EXTERNAL_LIMITS = {
  externalId: { min: 1, max: 200 },
  keys: 50,
  key: { min: 1, max: 40 },
  value: { max: 500 },
} as const;

const { externalId: EXTERNAL_ID, keys: MAX_KEYS, key: KEY, value: VALUE } = EXTERNAL_LIMITS;
const KEYS = `at most ${MAX_KEYS} keys of ${rangeText(KEY)} characters`;
const METADATA_RULE = `must be an object of ${KEYS}, with text of at most ${VALUE.max} characters`;
const ID_EXAMPLE = 'CRM-4711';
const METADATA_EXAMPLE = { crm: '4711' };

/** What is wrong with metadata; null if it is accepted. `nullable`: values may also be null. */
export function problemOfMetadata(value: unknown, nullable = false): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return METADATA_RULE;
  const entries = Object.entries(value);
  if (entries.length > MAX_KEYS) return `must have at most ${counted(MAX_KEYS, 'key')}`;
  for (const [key, text] of entries) {
    if (!isLine(key, KEY))
      return `has the key ${quoteForMessage(key)}; keys are ${rangeText(KEY)} characters, none of them a control character`;
    const isText = typeof text === 'string' && hasAtMost(VALUE.max, text) && isStorable(text);
    if (!isText && !(nullable && text === null))
      return `must have text of at most ${VALUE.max} characters${nullable ? ', or null,' : ''} for the key ${quoteForMessage(key)}`;
  }
  return null;
}

const metadataField = (description: string, nullable: boolean, schema: object = {}): PropertyDecorator =>
  requestField(
    description,
    { optional: true },
    {
      expects: (value) => problemOfMetadata(value, nullable) ?? METADATA_RULE,
      schema: {
        type: 'object',
        maxProperties: MAX_KEYS,
        additionalProperties: { type: 'string', maxLength: VALUE.max, ...(nullable && { nullable }) },
        example: METADATA_EXAMPLE,
        ...schema,
      } as ApiPropertyOptions,
      accepts: { record: MAX_KEYS },
      holds: (value) => problemOfMetadata(value, nullable) === null,
    },
  );

/** A filter, written as `metadata[key]=value`. */
export const MetadataParameter = (): PropertyDecorator =>
  metadataField(
    'Only those with exactly this metadata, such as `metadata[crm]=4711`; with several keys, those with all of them',
    false,
    // The description has the example; Swagger UI would fill it in.
    { style: 'deepObject', explode: true, example: undefined },
  );

/** A filter. */
export const ExternalIdParameter = (description: string): PropertyDecorator =>
  TextParameter(description, { ...EXTERNAL_ID, trim: true, optional: true, example: ID_EXAMPLE });

const externalIdField = (within: string, nullable: boolean): PropertyDecorator =>
  TextField(`Your own id of it, unique ${within}${nullable ? '; null: none' : ''}`, {
    ...EXTERNAL_ID,
    trim: true,
    optional: true,
    nullable,
    example: ID_EXAMPLE,
  });

/** Fields of what is created. `within` says where its external id is unique: "in its organization". */
export function ExternalFields(within: string) {
  class Fields {
    @externalIdField(within, false)
    external_id?: string;

    @metadataField(`Text of your own by key: ${KEYS}, values of at most ${VALUE.max}`, false)
    metadata?: Metadata;
  }
  return Fields;
}

/** The same of what is changed; `mergedMetadata` applies the changes. */
export function ExternalChanges(within: string) {
  class Changes {
    @externalIdField(within, true)
    external_id?: string | null;

    @metadataField('Merged with the metadata that there is: null removes a key, other keys stay', true)
    metadata?: MetadataChanges;
  }
  return Changes;
}

export const ExternalIdProperty = (): PropertyDecorator =>
  TextProperty(
    `Your own id of it: as \`${EXTERNAL_ID_PREFIX}\` and this, it can be sent wherever an id can; null: none`,
    { nullable: true, example: null },
  );

export const MetadataProperty = (): PropertyDecorator =>
  ApiProperty({
    description: 'Text of your own by key',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: METADATA_EXAMPLE,
  });

/** Fields of replies. */
export class ExternalProperties {
  @ExternalIdProperty()
  external_id: string | null;

  @MetadataProperty()
  metadata: Metadata;
}

/** Returns the external id that an id of a path has after its prefix; null for other ids. 400 `VALIDATION_ERROR` if it cannot be one. */
export function externalIdIn(id: string): string | null {
  if (!id.startsWith(EXTERNAL_ID_PREFIX)) return null;
  const externalId = asLine(id.slice(EXTERNAL_ID_PREFIX.length));
  if (isLine(externalId, EXTERNAL_ID)) return externalId;
  throw invalid(
    `id: must have ${rangeText(EXTERNAL_ID)} characters after ${EXTERNAL_ID_PREFIX}, none of them a control character`,
  );
}

/** Returns the metadata as changed; undefined without changes. 400 `VALIDATION_ERROR` if it would have too many keys. */
export function mergedMetadata(current: Metadata, changes?: MetadataChanges): Metadata | undefined {
  if (!changes) return undefined;
  const merged = Object.entries({ ...current, ...changes }).filter(([, text]) => text !== null);
  if (merged.length > MAX_KEYS)
    throw invalid(
      `metadata: would have ${merged.length} keys with those that there are, and must have at most ${MAX_KEYS}; null removes one`,
    );
  return Object.fromEntries(merged) as Metadata;
}

/** Throws 409 `CONFLICT`, which names the other, if an external id is taken. `taken`: as `findTakenExternalIds` returns it. */
export function refuseTaken(
  taken: ReadonlyMap<string, { readonly id: string; readonly externalId: string }>,
  noun: ExternallyNamed,
): void {
  for (const { id, externalId } of taken.values())
    throw conflict(`external_id: ${quoteForMessage(externalId)} is that of the ${noun} ${id}.`);
}
