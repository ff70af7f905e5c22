import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../src/entrypoints/cli/openapi.js';
import { problemsIn } from '../../scripts/openapi-rules.js';
import { ERROR_CODES } from '../../src/contract/error-catalog.js';
import { expectDocumented, operationsOf, type ApiDocument } from '../support/api-document.js';
import { CONTRACT, inlined, openapi } from '../support/contract.js';
import { expectNone } from '../support/proofs.js';

const generated = JSON.parse(JSON.stringify(await openApiDocument())) as ApiDocument;
const document = inlined(generated);
const operations = operationsOf(document);

describe('openapi.json', () => {
  it('matches the controllers (otherwise run npm run openapi)', () => {
    expect(openapi).toEqual(document);
  });

  it('starts with recordings', () => {
    expect(document.tags[0]?.name).toBe('Recordings');
  });

  it('describes every tag, field and parameter of a path, with an example of each field', async () => {
    expectNone(await problemsIn(generated));
  });

  it.each(operations)('%s has a summary, described parameters and an example of each error', (_, operation) =>
    expectDocumented(operation),
  );

  it('has no default of a property, which generated types would require', () => {
    const withDefault = (node: unknown, path: string): string[] =>
      typeof node !== 'object' || node === null
        ? []
        : Object.entries(node).flatMap(([key, inner]) => [
            ...(path.endsWith('/properties') && Object.hasOwn(inner as object, 'default')
              ? [`${path}/${key}`]
              : []),
            ...withDefault(inner, `${path}/${key}`),
          ]);
    expect(withDefault(document, '')).toEqual([]);
    const { CreateRecordingRequest } = document.components.schemas;
    expect(CreateRecordingRequest).toMatchObject({
      required: ['title'],
      properties: { media: { description: expect.stringContaining('Default: `upload`') } },
    });
  });

  it('has examples of replies that have the fields of the replies, and fit the operation', () => {
    const examples = operations.flatMap(([name, { operationId, responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const body = content?.['application/json']?.example;
        return body === undefined ? [] : [{ name, operationId, status: Number(status), body }];
      }),
    );
    expectNone(
      examples.flatMap(({ name, status, body }) => {
        const [method = '', path = ''] = name.split(' ');
        return CONTRACT.mistakes(method, path, { status, type: 'application/json', body });
      }),
    );
    const example = (id: string) => examples.find(({ operationId }) => operationId === id)?.body;
    expect(example('createRecording')).toMatchObject({ data: { status: 'UPLOADING', media: 'pending' } });
    expect(example('changeRecordings')).toMatchObject({
      data: {
        results: [
          { success: true, error: null },
          { success: false, error: { code: 'RECORDING_NOT_FOUND' } },
        ],
      },
    });
    expect(example('testWebhook')).toMatchObject({ data: { type: 'webhook.test', status: 'pending' } });
    expect(example('listEvents')).toMatchObject({
      data: [{ data: { changes: { before: { status: 'MIGRATING' }, after: { status: 'COMPLETED' } } } }],
    });
  });

  it('says in plain text when each event is sent to webhooks', () => {
    const { webhooks } = document as unknown as { webhooks: Record<string, { post: { summary: string } }> };
    expect(webhooks['recording.uploading']?.post.summary).toBe('A recording becomes UPLOADING');
    expectNone(Object.keys(webhooks).filter((type) => /`|^[a-z]/.test(webhooks[type]?.post.summary ?? '')));
  });

  it('documents errors of a body only where there is one', () => {
    const withErrors = operations.filter(([, { responses }]) => '413' in responses || '415' in responses);
    // What it is refused for has been sent to S3.
    const others = new Set(['POST /api/v1/recordings/{id}/upload/complete']);
    expect(withErrors.map(([name]) => name).filter((name) => !others.has(name))).toEqual(
      operations.filter(([, operation]) => 'requestBody' in operation).map(([name]) => name),
    );
  });

  it('documents every error code of the catalog', () => {
    expect(document.components.schemas['ErrorCode']?.enum).toEqual(ERROR_CODES);
  });
});
