import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** What the document says beside the operations. */
export interface DocumentText {
  readonly title: string;
  readonly description: string;
  /** How the key of the bearer scheme looks. */
  readonly keyFormat: string;
  /** In the order of the document. */
  readonly tags: readonly (readonly [name: string, description: string])[];
}

/** The API document, made from the controllers; `openapi.json` is its committed copy. */
export function createDocument(
  app: INestApplication,
  { title, description, keyFormat, tags }: DocumentText,
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle(title)
    .setDescription(description)
    .setVersion('1')
    .addServer('/')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: keyFormat, description: 'An API key' });
  for (const [name, about] of tags) builder.addTag(name, about);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
  });
  moveOptionalExamples(document);
  return nameRequests(document);
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
    schema: { example?: string | number };
  }[];
}

/** Swagger UI at `/docs`; a key once entered survives a reload. */
export function serveDocument(app: INestApplication, text: DocumentText): void {
  SwaggerModule.setup('docs', app, () => createDocument(app, text), {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
    customSiteTitle: text.title,
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
}
