// `npm run settings`: writes the tables in docs/configuration.md from .env.example and the schema.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.js';
import { withSettings } from './settings-tables.js';

await prepare();
const { SETTINGS_SCHEMA } = await import('../dist/src/platform/config/settings.schema.js');
const page = join(ROOT, 'docs', 'configuration.md');
const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
writeFileSync(page, withSettings(readFileSync(page, 'utf8'), example, SETTINGS_SCHEMA.shape));
