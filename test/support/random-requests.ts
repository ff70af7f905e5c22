import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from './properties.js';
import { BUDGETS } from '../../src/platform/config/budgets.js';
import {
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../factories/workspace.js';
import { openapi } from './contract.js';
import { startService, type TestService } from './service.js';

/** Otherwise a fast machine spends most of the run on 429s, and the check at the end gets one too. */
const NO_LIMITS = Object.fromEntries(
  Object.values(BUDGETS).map(({ setting }): [string, string] => [setting, '0']),
);
const AT_ONCE = 20;
const HANG_MS = 20_000;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly enum?: string[]; readonly type?: string };
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json'?: { readonly schema: BodySchema } };
  };
}
interface BodySchema {
  readonly $ref?: string;
  readonly anyOf?: readonly BodySchema[];
  readonly oneOf?: readonly BodySchema[];
  readonly properties?: object;
}
interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly contentType: string;
}

const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method,
    operation,
  })),
);

/** Sends this many random requests generated from the API document, always the same for one seed. */
export function keepsAnswering(requests: number, seed: number): void {
  let service: TestService;
  const recordings = Array.from({ length: 40 }, (_, index) =>
    recording(index % 2 ? 'Ada' : 'Grace', {
      title: `Meeting ${index} 100%`,
      ...(index % 3 ? { organization: 'Acme', folder: 'Board' } : {}),
      transcript: transcript(index),
      summary,
    }),
  );
  const board = folder('Board');
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
    folders: [board],
  });
  const ids = [...recordings.map((one) => one.id), acme.id, board.id];

  beforeAll(async () => {
    service = await startService(NO_LIMITS, { generated: true });
    await service.import({ users: [user('Ada'), user('Grace')], organizations: [acme], recordings });
  });
  afterAll(() => service.stop());

  it('always get a documented reply, never a 5xx or no reply', async () => {
    const attempts = fc.sample(attempt(ids), { numRuns: requests, seed });
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    const send = async (one: Attempt): Promise<void> => {
      try {
        const signal = AbortSignal.timeout(HANG_MS);
        const { status } = await service.api.request(one.method, one.path, {
          key: keyOf('Ada'),
          body: one.body,
          headers: one.body === undefined ? {} : { 'content-type': one.contentType },
          signal,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500) faults.push(`${status} ${JSON.stringify(one)}`);
      } catch (error) {
        faults.push(`${String(error)} ${JSON.stringify(one)}`);
      }
    };
    const queue = attempts.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of queue) await send(one);
      }),
    );
    expect(faults).toEqual([]);
    // Otherwise the requests were too odd, or not odd enough, to prove anything.
    expect(statuses.get(429)).toBeUndefined();
    expect(statuses.get(200)).toBeGreaterThan(requests / 20);
    expect(statuses.get(400)).toBeGreaterThan(requests / 20);
    expect(statuses.get(404)).toBeGreaterThan(requests / 100);
    expect(statuses.get(201)).toBeGreaterThan(requests / 200);
  }, 120_000);

  it('leave the service working as before', async () => {
    const { status, body } = await service.api.as(keyOf('Ada')).get('/me');
    expect({ status, email: body.data.email }).toEqual({ status: 200, email: 'ada@acme.test' });
  });
}

/** Except revoking keys, which would revoke the caller's own. */
function attempt(ids: readonly string[]): fc.Arbitrary<Attempt> {
  const usable = operations.filter(({ path, method }) => !(path.includes('api-keys') && method === 'delete'));
  return fc.constantFrom(...usable).chain(({ path, method, operation }) => {
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    return fc.record({
      method: fc.constant(method.toUpperCase()),
      path: fc
        .tuple(pathOf(path, method === 'delete' ? [id()] : ids), queryOf(query))
        .map(([full, search]) => `/${full}${search}`),
      body: bodyFor(operation),
      contentType: usually(
        fc.constant('application/json'),
        fc.constantFrom('text/plain', 'application/json; charset=latin1', ''),
      ),
    });
  });
}

/** Fields of a JSON body, or arbitrary bytes for a file. */
function bodyFor({ requestBody }: Operation): fc.Arbitrary<unknown> {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema) return bodyOf(fieldsOf(schema));
  return requestBody ? fc.uint8Array({ maxLength: 5_000 }) : fc.constant(undefined);
}

/** Mostly `common`, now and then `rare`. */
function usually<T, U>(common: fc.Arbitrary<T>, rare: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ arbitrary: common, weight: 6 }, { arbitrary: rare, weight: 1 });
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ maxLength: 600 }),
  fc.constantFrom('', ' ', '\0', '../..', "'; --", '%', '\u202e'),
);
const encoded = oddText.map((text) => encodeURIComponent(text.toWellFormed()));
const garbage = fc.constantFrom('%00', '%ZZ', '%E0%A4%A', '%2e%2e%2f', '[]', '{}');

function pathOf(template: string, ids: readonly string[]): fc.Arbitrary<string> {
  const value = usually(fc.constantFrom(...ids), fc.oneof(encoded, garbage, fc.uuid()));
  const placeholders = template.match(/\{\w+\}/g) ?? [];
  return fc
    .tuple(...placeholders.map(() => value))
    .map((texts) =>
      placeholders.reduce((path, name, at) => path.replace(name, () => texts[at] ?? ''), template),
    );
}

function queryOf(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pair = (parameter: Parameter) => valueOf(parameter).map((value) => `${parameter.name}=${value}`);
  const known = parameters.length > 0 ? fc.constantFrom(...parameters).chain(pair) : fc.constant('');
  const unknown = fc.tuple(encoded, encoded).map(([name, value]) => `${name}=${value}`);
  const odd = fc.oneof(unknown, fc.constantFrom('__proto__=1', 'constructor=1', 'limit[a]=1', '&&', '='));
  return fc
    .array(usually(known, odd), { maxLength: 3 })
    .map((pairs) => (pairs.join('&') === '' ? '' : `?${pairs.join('&')}`));
}

function valueOf({ name, schema }: Parameter): fc.Arbitrary<string> {
  const good: Record<string, fc.Arbitrary<string>> = {
    date_from: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    date_to: fc.constantFrom('2026-01-31', '2026-01-31T10:00:00Z', '9999-12-31', '1970-01-01'),
    status: fc.constantFrom('COMPLETED', 'ERROR', 'RECORDING'),
    search: encoded,
  };
  const number = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.maxSafeInteger(), fc.double()).map(String);
  return usually(
    good[name] ?? (schema.type === 'integer' ? number : fc.uuid()),
    fc.oneof(encoded, garbage, number),
  );
}

function fieldsOf({ $ref, anyOf = [], oneOf = [], properties = {} }: BodySchema): string[] {
  const named = openapi.components.schemas[$ref?.split('/').at(-1) ?? '']?.properties ?? {};
  return [...Object.keys({ ...named, ...properties }), ...[...anyOf, ...oneOf].flatMap(fieldsOf)];
}

function bodyOf(fields: readonly string[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
    fc.constantFrom('view', 'download', '2099-01-01T00:00:00Z'),
    oddText,
    fc.anything({ maxDepth: 3 }),
  );
  const good = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 3 });
  return usually(
    good,
    fc.oneof(fc.json(), fc.anything({ maxDepth: 4 }), oddText, fc.dictionary(fc.string(), value)),
  ).map((body) => (typeof body === 'string' ? body : (safeJson(body) ?? '')));
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
  } catch {
    return undefined;
  }
}
