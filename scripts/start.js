// `npm start`: runs the service, also from a fresh clone. `npm run start:api` and `npm run start:worker` run one part alone.
import module from 'node:module';
import { join } from 'node:path';
import { stopWithParent } from './parent.js';
import { prepare, ROOT, say } from './prepare.js';

const ENTRYPOINTS = { all: 'main.js', api: 'entrypoints/api.js', worker: 'entrypoints/worker.js' };

/** Packages of hundreds of files each. Loaded before source maps are enabled, so that theirs are not parsed. */
const LARGE_PACKAGES = ['class-validator', 'graphile-worker', 'rxjs', 'typeorm'];

await prepare();
if (process.stdout.isTTY) say('Starting...');
// Node 22 and newer reuse compiled code on the next start.
module.enableCompileCache?.(join(ROOT, 'node_modules', '.cache', 'compiled'));
await Promise.all(LARGE_PACKAGES.map((name) => import(name)));
process.setSourceMapsEnabled(true);
await import(`../dist/src/${ENTRYPOINTS[process.argv[2] ?? 'all']}`);
stopWithParent();
