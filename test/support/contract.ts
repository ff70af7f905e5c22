import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  additionalProperties?: boolean;
  [key: string]: unknown;
}

export interface OpenApi {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

export const openapi = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApi;

/** An API document, to hold replies to. */
export class Contract {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly templates: readonly { readonly template: string; readonly pattern: RegExp }[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApi) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: closed(document.components) as object });
    // Those with the fewest placeholders first, as `recordings/search` is not a recording of that id.
    this.templates = Object.keys(document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
      }));
  }

  /** What the document says against a reply, in words; empty when they agree, or when the path is not in it. */
  mistakes(
    method: string,
    path: string,
    { status, type, body }: { status: number; type: string; body: unknown },
  ): string[] {
    const plain = path.split('?')[0] ?? '';
    const template = this.templates.find(({ pattern }) => pattern.test(plain))?.template;
    if (!template) return [];
    const operation = this.document.paths[template]?.[method.toLowerCase()];
    if (!operation) return [];
    const name = `${method} ${template} ${status}`;
    const contents = operation.responses[status]?.content;
    // A file of another format: that there is one is all that the document says.
    if (type !== 'application/json' && contents?.[type]) return [];
    const schema = contents?.['application/json']?.schema;
    if (!schema) return [`${name}: the document knows no such status`];
    const validate = this.validators.get(name) ?? this.ajv.compile(absolute(closed(schema)) as object);
    this.validators.set(name, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map((error) => `${name}: ${error.instancePath} ${error.message}`);
  }
}

export const CONTRACT = new Contract(openapi);

/** A field the document does not name is a mistake, so every object is closed. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  // How the document says "one of these, or null"; by the letter of JSON Schema it would be never null.
  if (copy['nullable'] === true && 'allOf' in copy)
    return { anyOf: [{ allOf: copy['allOf'] }, { type: 'null' }] };
  return 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}

function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' ? [key, `openapi${String(inner)}`] : [key, absolute(inner)],
    ),
  );
}
