// `npm start`: runs the service, also from a fresh clone. `npm run start:api` and `npm run start:worker` run one part alone.
import module from 'node:module';
import { join } from 'node:path';
import { stopWithParent } from './parent.js';
import { prepare, ROOT, say } from './prepare.js';

const ENTRYPOINTS = { all: 'main.js', api: 'entrypoints/api.js', worker: 'entrypoints/worker.js' };

await prepare();
if (process.stdout.isTTY) say('Starting...');
// Node 22 and newer reuse compiled code on the next start, also in the processes that this one starts.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'compiled');
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
await import(`../dist/src/${ENTRYPOINTS[process.argv[2] ?? 'all']}`);
stopWithParent();
