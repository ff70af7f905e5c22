import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { type OpenApi } from '../support/contract.js';

const openapi = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApi;

/** Findings of the recommended rules, as errors and as warnings, each with its place in the document. */
const LINTERS: Readonly<Record<string, (document: object) => Promise<string[]>>> = {
  Redocly: async (document) => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
  },
  Spectral: async (document) => {
    const spectral = new Spectral();
    spectral.setRuleset(new Ruleset({ extends: [[oas, 'recommended']] }));
    const problems = await spectral.run(JSON.stringify(document));
    return problems.map(({ code, path }) => `${code} ${path.join('/')}`);
  },
};

describe.each(Object.entries(LINTERS))('The recommended rules of %s', (_, lint) => {
  it('find nothing in openapi.json', async () => {
    expect(await lint(openapi)).toEqual([]);
  });

  it('find an operation without an id', async () => {
    const get = { ...openapi.paths['/api/v1/me']?.['get'], operationId: undefined };
    const findings = await lint({ ...openapi, paths: { '/api/v1/me': { get } } });
    expect(findings).toContainEqual(expect.stringMatching(/^operation-operationId .*me/));
  });
});
