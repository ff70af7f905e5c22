import { describe, expect, it } from '@jest/globals';
import { ID_FIELDS } from '../../src/modules/external-ids/external-ids.service.js';
import { openapi } from '../support/contract.js';

/** Ids of what has no external id, or of any kind of thing. */
const OTHERS = new Set([
  'api_key_id',
  'client_id',
  'external_id',
  'request_id',
  'target_id',
  'action_item_id',
  'delivery_id',
]);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

describe('fields of requests that take an id', () => {
  it('take an external id, too', () => {
    const schemas = openapi.components.schemas as Readonly<Record<string, Schema>>;
    const operations = Object.values(openapi.paths).flatMap((path) => Object.values(path)) as Operation[];
    const names = operations.flatMap(({ parameters = [], requestBody }) => [
      ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        Object.keys((schema?.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema)?.properties ?? {}),
      ),
    ]);
    const ids = [...new Set(names)].filter((name) => /(^|_)ids?$/.test(name) && !OTHERS.has(name));
    expect(ids.filter((name) => !(name in ID_FIELDS))).toEqual([]);
  });
});
