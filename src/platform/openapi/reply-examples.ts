import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './document-steps.js';

/** What examples of replies cannot take from the examples of the fields. */
export interface ReplyExamples {
  /**
   * What differs from the examples of the fields, by operation id and, if it has several statuses, status:
   * `createShareLink 200`. Objects are merged with those of the fields, also as items of
   * lists; `undefined` removes a member.
   */
  readonly differences: Readonly<Record<string, object>>;
  /** Files, by media type or, where one operation has another of that type, operation id and media type. */
  readonly files: Readonly<Record<string, string>>;
}

interface Schema {
  $ref?: string;
  example?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Adds examples, in place. Throws if there is no such operation or reply. */
export function addReplyExamples(document: OpenAPIObject, { differences, files }: ReplyExamples): void {
  const unused = new Set(Object.keys(differences));
  for (const { operationId, responses } of operationsOf<{
    readonly operationId: string;
    readonly responses: Record<
      string,
      { content?: Record<string, { readonly schema: Schema; example?: unknown }> }
    >;
  }>(document))
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      for (const [type, reply] of Object.entries(content)) {
        const file = files[`${operationId} ${type}`] ?? files[type];
        if (file !== undefined) reply.example = file;
      }
      const json = content['application/json'] ?? content['text/event-stream'];
      const name = [`${operationId} ${status}`, operationId].find((key) => key in differences);
      if (!json || name === undefined) continue;
      json.example = merged(exampleOf(json.schema, document), differences[name]);
      unused.delete(name);
    }
  if (unused.size > 0) throw new Error(`There is no reply of these operations: ${[...unused].join(', ')}`);
}

/** As Swagger UI makes it. */
function exampleOf(schema: Schema, document: OpenAPIObject): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return exampleOf(document.components?.schemas?.[name] as Schema, document);
  }
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, document)));
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return exampleOf(choice, document);
  if (schema.items) return [exampleOf(schema.items, document)];
  if (schema.enum) return schema.enum[0];
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.map(([key, field]) => [key, exampleOf(field, document)]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(value: unknown, difference: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(difference))
    return difference.map((item: unknown) => merged(value[0], item));
  if (!isObject(value) || !isObject(difference)) return difference;
  const changed = Object.entries(difference).map(([key, inner]) => [key, merged(value[key], inner)]);
  const members = Object.entries({ ...value, ...Object.fromEntries(changed) });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
