import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import {
  addCommands,
  describeDefaults,
  documentIdempotencyKeys,
  markLargeInteger,
  moveOptionalExamples,
  nodesIn,
  replaceNullable,
  shareComponents,
} from './document-steps.js';
import { addReplyExamples, type ReplyExamples } from './reply-examples.js';

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
  /** Commands that do the same as operations, by operation id, without the name of the program. */
  readonly commands: Readonly<Record<string, string>>;
}

/** Generates the API document from the controllers. `server` is the URL before all of its paths. */
export function createDocument(
  app: INestApplication,
  { title, description, license, key, tags, schemas, webhooks, examples, commands }: DocumentText,
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
  addCommands(document, commands);
  moveOptionalExamples(document);
  for (const node of nodesIn(document)) {
    markLargeInteger(node);
    describeDefaults(node);
    replaceNullable(node);
  }
  const named = nameRequests(document);
  shareComponents(named);
  const components = { ...named.components, schemas: { ...named.components?.schemas, ...schemas } };
  const complete = { ...named, components, webhooks } as OpenAPIObject;
  addReplyExamples(complete, examples);
  return complete;
}

/** Generated clients name types after schemas: `CreateRecordingDto` becomes `CreateRecordingRequest`. */
const nameRequests = (document: OpenAPIObject): OpenAPIObject =>
  JSON.parse(JSON.stringify(document).replaceAll(/(?<=["/]\w+)Dto"/g, 'Request"')) as OpenAPIObject;
