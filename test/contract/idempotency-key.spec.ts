import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../src/entrypoints/cli/openapi.js';
import { operationsOf, type ApiDocument } from '../support/api-document.js';
import { inlined } from '../support/contract.js';

interface Secured {
  /** The ways to authenticate; one of them without a scheme means that no key is required. */
  readonly security?: readonly Record<string, unknown>[];
}

const ERRORS = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_REPLY_LOST'];
const operations = operationsOf(inlined(JSON.parse(JSON.stringify(await openApiDocument())) as ApiDocument));

describe('the API document', () => {
  it.each(operations)(
    'has Idempotency-Key of %s if and only if it is a change by API key',
    (name, operation) => {
      const takesKey = ((operation as Secured).security ?? []).some((way) => 'bearer' in way);
      // A client of tus asks for the offset instead.
      const takes = takesKey && /^(POST|PATCH) (?!\/api\/v1\/uploads)/.test(name);
      const header = (operation.parameters ?? []).filter(({ name: given }) => given === 'Idempotency-Key');
      expect(header).toEqual(
        takes ? [expect.objectContaining({ in: 'header', required: false, schema: expect.anything() })] : [],
      );
      const codes = new Set(
        Object.values(operation.responses).flatMap(({ content }) =>
          Object.keys(content?.['application/json']?.examples ?? {}),
        ),
      );
      expect(ERRORS.filter((code) => codes.has(code))).toEqual(takes ? ERRORS : []);
    },
  );

  it('has more than twenty such operations, and none of its own extensions', () => {
    const text = JSON.stringify(operations);
    expect(text.split('"Idempotency-Key"').length).toBeGreaterThan(20);
    expect(text).not.toContain('x-when-changing');
  });
});
