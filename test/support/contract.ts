import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { plainUrl } from '../../src/platform/http/server/plain-url.js';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  additionalProperties?: boolean;
  [key: string]: unknown;
}

interface Content {
  readonly schema: Schema;
  /** Examples; those of an error by their codes. */
  readonly examples?: Record<string, unknown>;
}

interface Operation {
  readonly responses: Record<string, { content?: Record<string, Content> }>;
  /** The ways to authenticate; one of them without a scheme means that no key is required. */
  readonly security?: readonly Record<string, readonly string[]>[];
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface ReceivedReply {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

/** The document with replies, parameters and examples in place of references to them; those to schemas stay. */
export function inlined<Document extends { readonly components: object }>(document: Document): Document {
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline);
    if (typeof node !== 'object' || node === null) return node;
    const [, kind = '', name = ''] =
      /^#\/components\/(responses|parameters|examples)\/(.+)$/.exec(
        String((node as { $ref?: string }).$ref),
      ) ?? [];
    if (kind) return inline((document.components as Record<string, Record<string, unknown>>)[kind]?.[name]);
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, inline(inner)]));
  };
  return inline(document) as Document;
}

export const openapi = inlined(JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApi);

/** Operations that are documented elsewhere, by method and path. Adding to this list is a decision, not a detail. */
const DOCUMENTED_ELSEWHERE: readonly RegExp[] = [
  // With another method in `X-HTTP-Method-Override`.
  /^POST \/api\/v1\/uploads\/./,
  // URLs that replies contain, to be opened as they are: media, exports, share pages and their assets, pages of invitations.
  /^\w+ \/(media|exports|s|join|assets)\//,
  // Pages on which people sign in and out, look after their account, and work with their recordings.
  /^\w+ \/(sign-(in|out)|account|app)(\/|$)/,
  // The document itself, and the page that shows it.
  /^\w+ \/(docs(\/|$)|openapi\.)/,
  // Names the addresses.
  /^\w+ \/$/,
  // SCIM describes itself: /scim/v2/Schemas.
  /^\w+ \/scim\/v2\//,
  // docs/agents.md
  /^\w+ \/mcp$/,
  /^\w+ \/\.well-known\/oauth-/,
  /^\w+ \/oauth\//,
];

/** Whether an operation may be missing in the document. */
export function isDocumentedElsewhere(method: string, path: string): boolean {
  return DOCUMENTED_ELSEWHERE.some((pattern) => pattern.test(`${method} ${path}`));
}

/** An API document against which replies are checked. */
export class Contract {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly templates: readonly { readonly template: string; readonly pattern: RegExp }[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApi) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: closed(document.components) as object });
    // Those with the fewest placeholders first, as `recordings/search` is not a recording with that id.
    this.templates = Object.keys(document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
      }));
  }

  /** Violations of the document by a reply; empty if there are none. */
  mistakes(method: string, path: string, reply: ReceivedReply): string[] {
    // Empty segments, such as an empty id, mean nothing to the service.
    const plain = plainUrl(path).split('?')[0] ?? '';
    const template = this.templates.find(({ pattern }) => pattern.test(plain))?.template;
    const operation = template && this.document.paths[template]?.[method.toLowerCase()];
    if (!operation) return this.isMissing(method, plain, template, reply) ? [missing(method, plain)] : [];
    const { status, type, body } = reply;
    const name = `${method} ${template} ${status}`;
    const contents = operation.responses[status]?.content;
    // A file of another format, which the document does not describe further.
    if (type !== 'application/json' && contents?.[type]) return [];
    const code = codeOf(body);
    const documented = contents?.['application/json'];
    if (body === '' && status in operation.responses && (!contents || method === 'HEAD')) return [];
    if (!documented)
      return [`${name}: ${status in operation.responses ? UNDECORATED : undocumentedStatus(code)}`];
    if (code !== undefined && documented.examples && !(code in documented.examples))
      return [`${name}: ${undocumentedCode(code)}`];
    const validate =
      this.validators.get(name) ?? this.ajv.compile(absolute(closed(documented.schema)) as object);
    this.validators.set(name, validate);
    return validate(body) ? [] : (validate.errors ?? []).map((error) => `${name}: ${inWords(error)}`);
  }

  /**
   * An address that does not exist, or cannot even be read, needs no operation, nor does HEAD where there is GET. On
   * any address of the document, OPTIONS names the methods it takes, and others are refused with 405.
   */
  private isMissing(
    method: string,
    path: string,
    template: string | undefined,
    { status, body }: ReceivedReply,
  ): boolean {
    if ((status === 404 && codeOf(body) === 'NOT_FOUND') || !isDecodable(path)) return false;
    if (template && (method === 'OPTIONS' || status === 405)) return false;
    if (method === 'HEAD' && template && this.document.paths[template]?.['get']) return false;
    return !isDocumentedElsewhere(method, path);
  }
}

export const CONTRACT = new Contract(openapi);

/** Swagger lists a method of a controller that is not decorated, and knows nothing of what it replies. */
const UNDECORATED =
  'the document does not describe its reply: decorate its method with @Endpoint of src/contract/endpoint.decorator.ts and run `npm run openapi`';

const missing = (method: string, path: string): string =>
  `${method} ${path} is not in the API document: decorate its method with @Endpoint of src/contract/endpoint.decorator.ts and run \`npm run openapi\``;

const undocumentedStatus = (code: string | undefined): string =>
  code === undefined
    ? 'the document has no such status for this operation: set `status` of its @Endpoint and run `npm run openapi`'
    : undocumentedCode(code);

const undocumentedCode = (code: string): string =>
  `the document does not have the code ${code} for this operation: add it to \`errors\` of its @Endpoint and run \`npm run openapi\`, or throw one that is there`;

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function codeOf(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' ? error.code : undefined;
}

function inWords({ keyword, instancePath, params, message }: ErrorObject): string {
  const at = instancePath.slice(1).replaceAll('/', '.') || 'the body';
  if (keyword !== 'additionalProperties') return `${at} ${message}`;
  return `${at} has the property "${params['additionalProperty']}", which is not in the document: add it to the reply DTO, with a decorator of src/platform/openapi/field.decorator.ts, and run \`npm run openapi\`, or leave it out in the presenter`;
}

/** An undocumented field is an error, so every object is closed. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
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
