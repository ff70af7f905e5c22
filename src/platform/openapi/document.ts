import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { nodesIn, operationsOf } from './document-parts.js';
import { documentIdempotencyKeys } from './idempotency-key.parameter.js';
import { replaceNullable } from './nullable.js';
import { addReplyExamples, type ReplyExamples } from './reply-examples.js';
import { shareComponents } from './shared-components.js';

/** What the document contains besides the operations. */
export interface DocumentText {
  readonly title: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly url: string };
  /** The bearer token. */
  readonly key: { readonly format: string; readonly description: string };
  /** The tags in the order of the document. */
  readonly tags: readonly (readonly [name: string, description: string])[];
  /** Schemas besides those of the controllers, by name. */
  readonly schemas: Readonly<Record<string, object>>;
  /** Requests that the service sends, by name. */
  readonly webhooks: Readonly<Record<string, object>>;
  readonly examples: ReplyExamples;
}

/**
 * The API document, generated from the controllers; `openapi.json` is its committed copy. `server` is the URL before all
 * of its paths.
 */
export function createDocument(
  app: INestApplication,
  { title, description, license, key, tags, schemas, webhooks, examples }: DocumentText,
  server = '/',
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(description)
    .setVersion('1')
    .setLicense(license.name, license.url)
    .addServer(server)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: key.format,
      description: key.description,
    });
  for (const [name, about] of tags) builder.addTag(name, about);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
  });
  documentIdempotencyKeys(document);
  moveOptionalExamples(document);
  for (const node of nodesIn(document)) {
    markLargeInteger(node);
    describeDefaults(node);
  }
  replaceNullable(document);
  const named = nameRequests(document);
  shareComponents(named);
  const components = { ...named.components, schemas: { ...named.components?.schemas, ...schemas } };
  const complete = { ...named, components, webhooks } as OpenAPIObject;
  addReplyExamples(complete, examples);
  return complete;
}

/**
 * Swagger UI fills in the example of every query parameter, including optional filters; with all of them set, a list
 * would be empty. Their examples move into the description, unless a default or an enum makes them redundant.
 */
function moveOptionalExamples(document: OpenAPIObject): void {
  for (const parameter of operationsOf<Operation>(document).flatMap(({ parameters = [] }) => parameters)) {
    if (parameter.in !== 'query' || parameter.required || parameter.schema.example === undefined) continue;
    const { example, default: preset, enum: values } = parameter.schema;
    if (preset === undefined && !values) parameter.description += `. Example: \`${example}\``;
    delete parameter.schema.example;
  }
}

/**
 * Types that openapi-typescript generates require every property that has a default, though a client may leave it out:
 * the description has it instead.
 */
function describeDefaults({ properties = {} }: { properties?: Record<string, WithDefault> }): void {
  for (const property of Object.values(properties)) {
    if (property.default === undefined) continue;
    const text = typeof property.default === 'string' ? property.default : JSON.stringify(property.default);
    property.description = [property.description, `Default: \`${text}\``].filter(Boolean).join('. ');
    delete property.default;
  }
}

interface WithDefault {
  description?: string;
  default?: unknown;
}

/** Without a format, generated clients in many languages use 32 bits for an integer. */
function markLargeInteger(schema: { type?: unknown; maximum?: unknown; format?: string }): void {
  if (schema.type === 'integer' && Number(schema.maximum) > 2 ** 31 - 1) schema.format = 'int64';
}

/** Generated clients name types after schemas: `CreateRecordingDto` becomes `CreateRecordingRequest`. */
function nameRequests(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document).replaceAll(/(#\/components\/schemas\/\w+)Dto"/g, '$1Request"');
  const renamed = JSON.parse(text) as OpenAPIObject;
  const schemas = Object.entries(renamed.components?.schemas ?? {});
  return {
    ...renamed,
    components: {
      ...renamed.components,
      schemas: Object.fromEntries(schemas.map(([name, schema]) => [name.replace(/Dto$/, 'Request'), schema])),
    },
  };
}

interface Operation {
  parameters?: {
    in: string;
    required?: boolean;
    description: string;
    schema: { example?: string | number | boolean; default?: unknown; enum?: unknown };
  }[];
}
