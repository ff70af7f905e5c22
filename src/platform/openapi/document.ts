import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

const DESCRIPTION = `
Recorded online meetings: recordings, transcripts, summaries, share links, organizations and API keys.

- **Authentication.** Send an API key with every request: \`Authorization: Bearer <API_KEY>\`. Press *Authorize* to enter yours.
- **Replies.** A success wraps its result in \`data\`; an error is \`{"error":{"code","message"}}\`. Both carry \`X-Request-Id\`.
- **Times** are ISO 8601 in UTC; durations are seconds. What is not known yet is \`null\`, never missing.
- **Spelling.** Recordings use camelCase; API keys, organizations, share links, pagination and query parameters snake_case.
- **Checks.** Unknown parameters and fields are refused, not ignored; the message names what was wrong and what is taken.
`.trim();

/** Tags in the order of the contract. */
const TAGS: readonly [name: string, description: string][] = [
  ['API keys', 'Create, list and revoke the keys that requests are made with'],
  ['Recordings', 'List, read, rename, annotate and delete recordings'],
  ['Transcripts', 'Read what was said, in pages'],
  ['Sharing', 'Public links to a recording'],
  ['Organizations', 'Organizations, their folders and members'],
  ['Authentication', 'Who the key acts as'],
  ['Health', 'For load balancers and monitoring'],
];

/** The API document, made from the controllers; `openapi.json` is its committed copy. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Meeting Recording Service')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer('/')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'mrs_...', description: 'An API key' });
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  moveOptionalExamples(document);
  return document;
}

/**
 * Swagger UI fills in the example of every query parameter, optional filters too, and so would ask for nothing that
 * exists. Their examples move into the description.
 */
function moveOptionalExamples(document: OpenAPIObject): void {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[]);
  for (const parameter of operations.flatMap(({ parameters }) => parameters ?? [])) {
    if (parameter.in !== 'query' || parameter.required || parameter.schema.example === undefined) continue;
    parameter.description += `. Example: \`${parameter.schema.example}\``;
    delete parameter.schema.example;
  }
}

interface Operation {
  parameters?: {
    in: string;
    required?: boolean;
    description: string;
    schema: { example?: string | number };
  }[];
}

/** Swagger UI at `/docs`; a key once entered survives a reload. */
export function serveDocument(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => createDocument(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
    customSiteTitle: 'Meeting Recording Service',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
}
