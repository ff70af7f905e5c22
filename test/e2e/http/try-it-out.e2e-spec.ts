import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeysService } from '../../../src/modules/api-keys/api-keys.service.js';
import { WorkspaceImportService } from '../../../src/modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../../src/modules/workspace/workspace-reader.service.js';
import type { Client, RequestOptions } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

/** In the order of the document: each needs what the one before it has stored. */
const EDITS = ['updateRecording', 'importTranscript', 'renameSpeakers', 'correctSegment', 'importSummary'];

/** The last OWNER cannot be deleted, a key needs no name, and the demo user is no operator. */
const REFUSED = [
  ['deleteMe', 409],
  ['acceptInvitation', 400],
  ['listUsers', 403],
];

const AMARA = '019c1d5d-9c00-7a01-8a00-5eed0000a001';

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
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;

/** A request as Swagger UI prefills it; null if Swagger UI does not send it because a required parameter is empty. */
function filledIn(
  path: string,
  { parameters = [], requestBody }: Operation,
): [string, RequestOptions] | null {
  const values = parameters.map((one) => ({ ...one, value: one.schema.example ?? one.schema.default }));
  if (values.some(({ required, value }) => required && value === undefined)) return null;
  const query = new URLSearchParams();
  for (const { in: where, name, value } of values) {
    if (where === 'path') path = path.replace(`{${name}}`, String(value));
    if (where === 'query' && value !== undefined) query.set(name, String(value));
  }
  const [body] = Object.entries(requestBody?.content ?? {});
  const options = body && { headers: { 'content-type': body[0] }, body: exampleOf(body[1]) };
  return [`/${path}?${query}`.replace(/\?$/, ''), options ?? {}];
}

/** The first example, or one generated from the schema. */
function exampleOf({ schema, example, examples = {} }: Body): unknown {
  const [first] = Object.values(examples);
  return first?.value ?? example ?? sampleOf(schema);
}

function sampleOf({ $ref, example, properties = {} }: Schema): unknown {
  const named = $ref && document.components.schemas[$ref.split('/').at(-1) ?? ''];
  if (named) return sampleOf(named);
  return (
    example ?? Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]))
  );
}

describe('"Try it out" of Swagger UI, with the key of the demo workspace', () => {
  let service: TestService;
  let amara: Client;
  let existing: string[];
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      request: filledIn(path, operation),
    })),
  );

  beforeAll(async () => {
    service = await startService();
    const workspace = await service.app.get(WorkspaceReaderService).read('demo/workspace.json');
    await service.app.get(WorkspaceImportService).import(workspace);
    const { key } = await service.app.get(ApiKeysService).create(AMARA, { name: 'demo' });
    amara = service.api.as(key);
    existing = await Promise.all(['/recordings', '/api-keys'].map(idsAt)).then((ids) => ids.flat());
  });
  afterAll(() => service.stop());

  const idsAt = async (path: string): Promise<string[]> =>
    (await amara.get(path)).body.data.map(({ id }: { id: string }) => id);

  /** Everything that a request could change by mistake. */
  async function stateOf(): Promise<unknown> {
    const tables = ['recordings', 'transcripts', 'transcript_chunks', 'summaries', 'api_keys'];
    const select = (table: string): Promise<unknown[]> => {
      const id = ['recordings', 'api_keys'].includes(table) ? 'id' : 'recording_id';
      const columns = `to_jsonb(t) - 'last_used_at' AS row`;
      return service.dataSource.query(
        `SELECT ${columns} FROM ${table} t WHERE ${id} = ANY ($1) ORDER BY to_jsonb(t)::text`,
        [existing],
      );
    };
    return Promise.all(tables.map(select));
  }

  it('changes no existing data, and every request that is sent succeeds unless the demo has nothing to do it with', async () => {
    const before = await stateOf();
    const replies: [string, number][] = [];
    for (const { id, method, request } of operations) {
      if (request) replies.push([id, (await amara.request(method, ...request)).status]);
    }
    expect(await stateOf()).toEqual(before);
    expect(replies.filter(([, status]) => status > 299)).toEqual(REFUSED);
    expect(replies).toEqual(
      expect.arrayContaining([
        ['createApiKey', 201],
        ['createRecording', 201],
        ['createShareLink', 201],
        ['askQuestion', 200],
        ['getTranscript', 200],
      ]),
    );
  });

  it('requires an id where something is replaced or deleted, and where the demo has none', () => {
    expect(operations.filter(({ request }) => !request).map(({ id }) => id)).toEqual([
      'revokeApiKey',
      'openUpload',
      'uploadMedia',
      'updateRecording',
      'deleteRecording',
      'importTranscript',
      'renameSpeakers',
      'correctSegment',
      'restoreRevision',
      'startTranscription',
      'importSummary',
      'generateSummary',
      'updateShareLink',
      'revokeShareLink',
      'getShare',
      'unlockShare',
      'updateOrganization',
      'deleteOrganization',
      'offerTransfer',
      'cancelTransfer',
      'acceptTransfer',
      'updateMember',
      'removeMember',
      'updateFolder',
      'deleteFolder',
      'deleteInvitation',
      'resendInvitation',
      'updateUser',
      'deleteUser',
    ]);
  });

  it('sends bodies that are consistent with each other once the id of a recording is entered', async () => {
    const { id } = (await amara.post('/recordings', { title: 'Mine' })).body.data;
    const statuses: Record<string, number> = {};
    for (const [path, methods] of Object.entries(document.paths)) {
      const entered = path.replace('/{id}', `/${id}`).replace('{segmentId}', '0');
      for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
        const request = filledIn(entered, { operationId, requestBody });
        if (!request || !EDITS.includes(operationId)) continue;
        statuses[operationId] = (await amara.request(method.toUpperCase(), ...request)).status;
      }
    }
    expect(statuses).toEqual(Object.fromEntries(EDITS.map((edit) => [edit, 200])));
  });
});
