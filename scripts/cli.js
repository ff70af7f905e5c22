// `npm run -s cli -- COMMAND`: the command line, also on a fresh clone.
import { prepare } from './prepare.js';

prepare();
await import('../dist/src/cli/main.js');
