import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unansweredRoutes } from '../../scripts/test/routes.js';
import { totalsOf } from '../../scripts/test/totals.js';

const one = (status: 'passed' | 'failed') => ({
  testResults: [{ name: 'a.spec.ts', status, assertionResults: [{ status, fullName: 'a' }] }],
});
const UNTESTED =
  'no test gets a 2xx or 3xx from POST /api/v1/notes: add one in test/e2e/<module>/<operation>.e2e-spec.ts';

describe('A full test run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-routes-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('finds routes that no test in any process has called successfully', () => {
    const has = 'has GET /api/v1/notes\nhas POST /api/v1/notes\nhas ALL /s/:token\nhas GET /docs\n';
    writeFileSync(join(folder, '1'), has);
    writeFileSync(join(folder, '2'), `${has}answered GET /api/v1/notes\n`);
    expect(unansweredRoutes(folder)).toEqual([UNTESTED]);
  });

  it('fails when there are any', () => {
    expect(totalsOf(one('passed'), 0, { untested: [UNTESTED] })).toEqual({
      passed: false,
      lines: [UNTESTED, 'Tests: 1 passed, 1 failed, 0 skipped'],
    });
  });

  it('does not report them when a test failed, which may be the cause', () => {
    expect(totalsOf(one('failed'), 1, { untested: [UNTESTED] }).lines).toEqual([
      'Tests: 0 passed, 1 failed, 0 skipped',
    ]);
  });
});
