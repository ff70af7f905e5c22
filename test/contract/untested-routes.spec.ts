import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { unansweredRoutes } from '../../scripts/test/routes.js';

it('a full test run finds routes that no test in any process has called successfully', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mrs-routes-'));
  const has = 'has GET /api/v1/notes\nhas POST /api/v1/notes\nhas ALL /s/:token\n';
  writeFileSync(join(folder, '1'), has);
  writeFileSync(join(folder, '2'), `${has}answered GET /api/v1/notes\n`);
  expect(unansweredRoutes(folder)).toEqual([
    'no test gets a 2xx or 3xx from POST /api/v1/notes: add one in test/e2e/<module>/<operation>.e2e-spec.ts',
  ]);
  rmSync(folder, { recursive: true });
});
