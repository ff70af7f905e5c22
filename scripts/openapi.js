// `npm run openapi`: generates openapi.json from the controllers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.js';

await prepare({ tools: true });
const { format, resolveConfig } = await import('prettier');
const { openApiDocument } = await import('../dist/src/entrypoints/cli/openapi.js');
const filepath = join(ROOT, 'openapi.json');
const options = { ...(await resolveConfig(filepath)), filepath };
writeFileSync(filepath, await format(JSON.stringify(await openApiDocument()), options));
