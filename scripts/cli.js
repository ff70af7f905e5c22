// `npm run -s cli -- COMMAND`: the command line, also on a fresh clone.
import { build, install } from './prepare.js';

install();
build();
await import('../dist/src/cli/main.js');
