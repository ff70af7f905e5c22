// `npm run openapi`: generates openapi.json from the controllers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.js';

await prepare();
const { openApiDocument } = await import('../dist/src/entrypoints/cli/openapi.js');
writeFileSync(join(ROOT, 'openapi.json'), `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
