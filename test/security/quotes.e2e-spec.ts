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
import { expectNone } from '../support/proofs.js';
import { textInputs, type Input, type InputsDocument, type Known } from '../support/quoted-inputs.js';
import { routesOf } from '../support/routes.js';
import { startService, type TestService } from '../support/service.js';

/** What ends a text, a name or an expression of SQL too early. */
const VALUES = ["quo'te", 'quo"te', "end';--", '($1) back\\slash\\'];
const SQL_ERROR = /syntax error at|unterminated quoted|invalid input syntax for|does not exist\b.*\bLINE/i;
const AT_ONCE = 10;

/** Inputs that are answered by a 5xx, by an error of PostgreSQL, or against the API document. */
async function faultsOf(api: Client, inputs: readonly Input[]): Promise<string[]> {
  const faults: string[] = [];
  const send = async ({ name, request }: Input, value: string): Promise<void> => {
    const { method, path, headers, body } = request(value);
    const fault = (what: string) => faults.push(`${name} with the value ${JSON.stringify(value)}: ${what}`);
    try {
      const reply = await api.request(method, `/${path}`, { headers, body });
      const text = JSON.stringify(reply.body);
      if (reply.status >= 500) fault(`${reply.status}; is the value part of an SQL statement? Bind it`);
      else if (SQL_ERROR.test(text)) fault(`an error of PostgreSQL in the reply: ${text}`);
    } catch (error) {
      fault(String(error));
    }
  };
  const queue = inputs.flatMap((input) => VALUES.map((value) => [input, value] as const)).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [input, value] of queue) await send(input, value);
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
    const board = folder('Board');
    const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [board] });
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
    const inputs = textInputs(openapi as unknown as InputsDocument, known);
    // Else the document was not understood.
    expect(inputs.length).toBeGreaterThan(100);
    expectNone(await faultsOf(ada, inputs));
  }, 300_000);

  it('are taken as text by the routes that are documented elsewhere', async () => {
    expectNone(await faultsOf(ada, textInputs(undocumented(service), known)));
  }, 120_000);
});

/** Routes of the service that the API document does not have, with what their paths take. */
function undocumented({ app }: TestService): InputsDocument {
  const documented = new Set(Object.keys(openapi.paths));
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routesOf(app)) {
    const [method = '', path = ''] = route.replaceAll(/[:*](\w+)/g, '{$1}').split(' ');
    if (method !== 'ALL' && path.includes('{') && !documented.has(path))
      paths[path] = { ...paths[path], [method.toLowerCase()]: {} };
  }
  return { paths, components: { schemas: {} } };
}
