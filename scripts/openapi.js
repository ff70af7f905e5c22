// `npm run openapi`: writes openapi.json from the controllers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, install, ROOT } from './prepare.js';

install();
build();
const { openApiDocument } = await import('../dist/src/cli/openapi.js');
writeFileSync(join(ROOT, 'openapi.json'), `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
