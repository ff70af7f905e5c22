import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';

it('the recommended rules of Redocly find nothing in openapi.json', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: readFileSync('openapi.json', 'utf8'), config });
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([]);
});
