// `npm run settings`: writes .env.example and the settings table of the README from the schema.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.js';

await prepare();
const { envExample, withSettingsTable } = await import('../dist/src/entrypoints/cli/settings-docs.js');
const readme = join(ROOT, 'README.md');
writeFileSync(join(ROOT, '.env.example'), envExample());
writeFileSync(readme, withSettingsTable(readFileSync(readme, 'utf8')));
