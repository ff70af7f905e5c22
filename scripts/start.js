// `npm start`: from a fresh clone to a running service.
import { build, install } from './prepare.js';

install();
build();
process.setSourceMapsEnabled(true);
await import('../dist/src/main.js');
