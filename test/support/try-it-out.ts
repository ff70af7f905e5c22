import { readFileSync } from 'node:fs';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { WorkspaceImportService } from '../../src/modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../src/modules/workspace/workspace-reader.service.js';
import type { Client, RequestOptions } from './client.js';
import { inlined } from './contract.js';
import { startService, type TestService } from './service.js';
import { COMMAND_LINE } from '../../src/policy/management.js';

/** What "Try it out" of Swagger UI fills in. */

/** The user of the demo whose key the banner shows. */
export const AMARA = '019c1d5d-9c00-7a01-8a00-5eed0000a001';

interface Schema {
  readonly $ref?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Body {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const { paths, components } = inlined(JSON.parse(readFileSync('openapi.json', 'utf8')) as Document);

export interface Operation extends DocumentedOperation {
  readonly method: string;
  readonly path: string;
}

/** The operations in the order of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

/** A request as Swagger UI prefills it; null if Swagger UI does not send it because a required parameter is empty. */
export function filledIn(
  { path, parameters = [], requestBody }: Operation,
  entered: Readonly<Record<string, string>> = {},
): [path: string, options: RequestOptions] | null {
  const values = parameters.map(({ schema, ...one }) => ({
    ...one,
    value: entered[one.name] ?? schema.example ?? schema.default,
  }));
  if (values.some(({ required, value }) => required && value === undefined)) return null;
  const query = new URLSearchParams();
  let full = `/${path}`;
  for (const { in: where, name, value } of values) {
    if (where === 'path') full = full.replace(`{${name}}`, String(value));
    if (where === 'query' && value !== undefined) query.set(name, String(value));
  }
  const headers = Object.fromEntries(
    values
      .filter(({ in: where, value }) => where === 'header' && value !== undefined)
      .map(({ name, value }) => [name, String(value)]),
  );
  const body = bodyOf(requestBody);
  return [`${full}?${query}`.replace(/\?$/, ''), { ...body, headers: { ...headers, ...body.headers } }];
}

function bodyOf(requestBody: Operation['requestBody']): RequestOptions {
  const [first] = Object.entries(requestBody?.content ?? {});
  if (!first) return {};
  const [type, { schema, example, examples = {} }] = first;
  const [chosen] = Object.values(examples);
  return { headers: { 'content-type': type }, body: chosen?.value ?? example ?? sampleOf(schema) };
}

function sampleOf({ $ref, example, properties = {} }: Schema): unknown {
  const named = $ref && components.schemas[$ref.split('/').at(-1) ?? ''];
  if (named) return sampleOf(named);
  return (
    example ?? Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]))
  );
}

/** A service with the demo workspace, and a client with its key. */
export async function demoService(): Promise<{ service: TestService; amara: Client }> {
  const service = await startService();
  const workspace = await service.app.get(WorkspaceReaderService).read('demo/workspace.json');
  await service.app.get(WorkspaceImportService).import(workspace);
  const { key } = await service.app.get(ApiKeysService).create(AMARA, { name: 'demo' }, COMMAND_LINE);
  return { service, amara: service.api.as(key) };
}
