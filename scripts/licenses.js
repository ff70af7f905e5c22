// `npm run licenses`: writes the generated part of THIRD-PARTY.md. With `--check`, part of `npm run check`, it compares instead,
// and fails when a production dependency has a license, compiled code or a model that scripts/licenses/policy.js does not describe.
import { readFileSync, writeFileSync } from 'node:fs';
import { findViolations, productionPackages } from './licenses/packages.js';
import { withPackages } from './licenses/page.js';

const PAGE = 'THIRD-PARTY.md';

const packages = productionPackages('.');
const current = readFileSync(PAGE, 'utf8');
const fresh = withPackages(current, packages);

if (process.argv.includes('--check')) {
  const violations = findViolations(packages, '.');
  if (fresh !== current) violations.push(`${PAGE} is out of date. Run npm run licenses.`);
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
} else {
  writeFileSync(PAGE, fresh);
}
