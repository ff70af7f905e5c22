// `npm run settings`: writes .env.example and the tables in docs/configuration.md from the schema.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.js';

await prepare();
const { envExample, withSettings } = await import('../dist/src/entrypoints/cli/settings-docs.js');
const page = join(ROOT, 'docs', 'configuration.md');
writeFileSync(join(ROOT, '.env.example'), envExample());
writeFileSync(page, withSettings(readFileSync(page, 'utf8')));
