#!/usr/bin/env node
// `npx mrs COMMAND`, or `npm run -s cli -- COMMAND`, which takes half as long: the command line; also works in a fresh clone.
import module from 'node:module';
import { join } from 'node:path';
import { prepareOnce, ROOT } from './prepare.js';

await prepareOnce();
// Node 22 and newer reuse compiled code.
module.enableCompileCache?.(join(ROOT, 'node_modules', '.cache', 'compiled'));
await import('../dist/src/entrypoints/cli/main.js');
