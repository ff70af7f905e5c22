import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  folder,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { openapi } from '../support/contract.js';
import { exampleBody, resolvedSchema, type DocumentedOperation } from '../support/example-requests.js';
import { expectNone } from '../support/proofs.js';
import { routesOf } from '../support/routes.js';
import { startService, type TestService } from '../support/service.js';

/** Ends a text, a name and an expression of SQL too early. */
const VALUE = `quo'te";-- ($1) back\\slash\\`;
const SQL_ERROR = /syntax error at|unterminated quoted|invalid input syntax for|does not exist\b.*\bLINE/i;
const AT_ONCE = 10;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

/** Values by the name of a parameter, or of what stands before it in the path, such as `recordings`. */
type Known = Readonly<Record<string, string>>;

/**
 * Requests that have `VALUE` in one path parameter, query parameter or field of the body, and are otherwise in order.
 */
function requestsOf(method: string, template: string, op: DocumentedOperation, known: Known): Sent[] {
  const path = (given: Known = {}): string =>
    template.replace(/([^/]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
      return `${before}/${encodeURIComponent(given[name] ?? known[before] ?? known[name] ?? 'unknown')}`;
    });
  const json = op.requestBody?.content['application/json'];
  const { properties = {} } = json ? resolvedSchema(json.schema) : {};
  const body =
    json && (exampleBody({ requestBody: { content: { 'application/json': json } } })?.body as object);
  const query = (op.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const beside = Object.fromEntries(query.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
  return [
    ...[...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ path: path({ [name]: VALUE }), body })),
    ...query.map((name) => ({
      path: `${path()}?${new URLSearchParams({ ...beside, [name]: VALUE }).toString()}`,
      body,
    })),
    ...Object.keys(properties).map((name) => ({ path: path(), body: { ...body, [name]: VALUE } })),
  ].map((sent) => ({ ...sent, method: method.toUpperCase() }));
}

/** Requests that are answered by a 5xx, by an error of PostgreSQL, or against the API document. */
async function faultsOf(api: Client, requests: readonly Sent[]): Promise<string[]> {
  const faults: string[] = [];
  const queue = requests.values();
  const send = async (sent: Sent): Promise<void> => {
    try {
      const { status, body } = await api.request(sent.method, `/${sent.path}`, sent);
      const text = JSON.stringify(body);
      if (status >= 500 || SQL_ERROR.test(text)) faults.push(`${JSON.stringify(sent)}: ${status} ${text}`);
    } catch (error) {
      faults.push(`${JSON.stringify(sent)}: ${String(error)}`);
    }
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const sent of queue) await send(sent);
    }),
  );
  return faults;
}

describe('Quotes in every path, query, header and body', () => {
  let service: TestService;
  let ada: Client;
  let known: Known;

  beforeAll(async () => {
    service = await startService({}, { generated: true });
    ada = service.api.as(keyOf('Ada'));
    const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [folder('Board')] });
    const one = recording('Ada', {
      organization: 'Acme',
      folder: 'Board',
      transcript: transcript(30),
      summary,
    });
    await service.import({ users: [user('Ada')], organizations: [acme], recordings: [one] });
    const link = (await ada.post(`/recordings/${one.id}/share-link`, {})).body.data;
    const key = (await ada.post('/api-keys', { name: 'Second' })).body.data;
    known = {
      recordings: one.id,
      organizations: acme.id,
      organization_id: acme.id,
      'api-keys': key.id,
      'share-links': link.id,
      shares: link.share_token,
      s: link.share_token,
      segments: '0',
    };
  });
  afterAll(() => service.stop());

  it('are taken as text by every operation of the API document', async () => {
    const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.entries(methods as unknown as Record<string, DocumentedOperation>).map(
        (one) => [path, ...one] as const,
      ),
    );
    const requests = operations.flatMap(([path, method, op]) => requestsOf(method, path, op, known));
    // Else the document was not understood.
    expect(requests.length).toBeGreaterThan(150);
    expectNone(await faultsOf(ada, requests));
  }, 300_000);

  it('are taken as text in headers', async () => {
    const path = `/api/v1/recordings/${known['recordings']}`;
    const headers = { Authorization: `Bearer mrs_${VALUE}`, 'If-Match': VALUE, 'Idempotency-Key': VALUE };
    const requests = Object.entries(headers).map(([name, value]) => ({
      method: 'PATCH',
      path,
      headers: { [name]: value },
      body: { title: 'New' },
    }));
    expectNone(await faultsOf(ada, requests));
  });

  it('are taken as text by the routes that are documented elsewhere', async () => {
    const documented = new Set(Object.keys(openapi.paths));
    const requests = routesOf(service.app).flatMap((route) => {
      const [method = '', path = ''] = route.replaceAll(/[:*](\w+)/g, '{$1}').split(' ');
      if (method === 'ALL' || documented.has(path)) return [];
      return requestsOf(method, path, {}, known);
    });
    expectNone(await faultsOf(ada, requests));
  }, 120_000);
});
