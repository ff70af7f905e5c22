// `npm run -s cli -- COMMAND`: the command line, also on a fresh clone.
import { prepareOnce } from './prepare.js';

await prepareOnce();
await import('../dist/src/entrypoints/cli/main.js');
