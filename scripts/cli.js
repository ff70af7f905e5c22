#!/usr/bin/env node
// `npx mrs COMMAND`, or `npm run -s cli -- COMMAND`, which takes half as long: the command line; also works in a fresh clone.
import { prepareOnce } from './prepare.js';

await prepareOnce();
await import('../dist/src/entrypoints/cli/main.js');
