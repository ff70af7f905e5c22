// `npm run -s cli -- COMMAND`: the command line; also works in a fresh clone.
import { prepareOnce } from './prepare.js';

await prepareOnce();
await import('../dist/src/entrypoints/cli/main.js');
