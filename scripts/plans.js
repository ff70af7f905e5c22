// `npm run plans`: writes the table in docs/plans.md from the catalog of plans and the defaults of the settings.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPlansTable } from './plans-table.js';
import { prepare, ROOT } from './prepare.js';

await prepare();
const { PLAN_CATALOG } = await import('../dist/src/policy/plans.js');
const { parseSettings } = await import('../dist/src/platform/config/settings.js');
const page = join(ROOT, 'docs', 'plans.md');
writeFileSync(page, withPlansTable(readFileSync(page, 'utf8'), PLAN_CATALOG, parseSettings({}).quotas));
